"""Pictures and signals: filters, morphology, histograms, transforms, features."""

import numpy as np

from .case import Case, random


def box_blur(img, r):
    h, w = img.shape
    out = np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            total = 0.0
            count = 0
            for dy in range(-r, r + 1):
                for dx in range(-r, r + 1):
                    yy, xx = y + dy, x + dx
                    if 0 <= yy < h and 0 <= xx < w:
                        total += img[yy, xx]
                        count += 1
            out[y, x] = total / count
    return out


def gaussian_kernel(size, sigma):
    ax = np.arange(size) - size // 2
    xx, yy = np.meshgrid(ax, ax)
    k = np.exp(-(xx**2 + yy**2) / (2 * sigma**2))
    return k / k.sum()


def convolve2d(img, kernel):
    kh, kw = kernel.shape
    padded = np.pad(img, ((kh // 2, kh // 2), (kw // 2, kw // 2)), mode="edge")
    out = np.empty_like(img)
    for i in range(img.shape[0]):
        for j in range(img.shape[1]):
            out[i, j] = (padded[i : i + kh, j : j + kw] * kernel).sum()
    return out


def gaussian_blur(img, sigma):
    return convolve2d(img, gaussian_kernel(5, sigma))


def sobel_edges(gray, threshold):
    gx = np.zeros_like(gray)
    gy = np.zeros_like(gray)
    gx[1:-1, 1:-1] = (
        gray[:-2, 2:]
        + 2 * gray[1:-1, 2:]
        + gray[2:, 2:]
        - gray[:-2, :-2]
        - 2 * gray[1:-1, :-2]
        - gray[2:, :-2]
    )
    gy[1:-1, 1:-1] = (
        gray[2:, :-2]
        + 2 * gray[2:, 1:-1]
        + gray[2:, 2:]
        - gray[:-2, :-2]
        - 2 * gray[:-2, 1:-1]
        - gray[:-2, 2:]
    )
    mag = np.hypot(gx, gy)
    mag = mag / mag.max()
    return mag > threshold, np.arctan2(gy, gx)


def median_filter(img, size):
    pad = size // 2
    p = np.pad(img, pad, mode="reflect")
    result = np.zeros(img.shape, dtype=img.dtype)
    for i in range(img.shape[0]):
        for j in range(img.shape[1]):
            window = p[i : i + size, j : j + size].ravel()
            result[i, j] = np.sort(window)[window.size // 2]
    return result


def erode(binary, iterations):
    for _ in range(iterations):
        padded = np.zeros((binary.shape[0] + 2, binary.shape[1] + 2), dtype=bool)
        padded[1:-1, 1:-1] = binary
        binary = (
            padded[1:-1, 1:-1] & padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
        )
    return binary


def dilate_loops(img, se):
    rows, cols = img.shape
    k = se.shape[0] // 2
    out = np.zeros_like(img)
    for i in range(rows):
        for j in range(cols):
            if img[i, j]:
                for a in range(-k, k + 1):
                    for b in range(-k, k + 1):
                        if se[a + k, b + k] and 0 <= i + a < rows and 0 <= j + b < cols:
                            out[i + a, j + b] = 1
    return out


def equalize_histogram(img):
    hist = np.zeros(256, dtype=int)
    for v in img.flatten():
        hist[v] += 1
    cdf = hist.cumsum()
    cdf_min = cdf[cdf > 0].min()
    lut = np.round((cdf - cdf_min) / (img.size - cdf_min) * 255).astype(np.uint8)
    return lut[img]


def otsu(image):
    hist = np.bincount(image.ravel(), minlength=256)
    total = image.size
    sum_all = 0
    for t in range(256):
        sum_all += t * hist[t]
    sum_b = 0.0
    w_b = 0
    best = 0
    var_max = 0.0
    for t in range(256):
        w_b += hist[t]
        if w_b == 0:
            continue
        w_f = total - w_b
        if w_f == 0:
            break
        sum_b += t * hist[t]
        m_b = sum_b / w_b
        m_f = (sum_all - sum_b) / w_f
        var = w_b * w_f * (m_b - m_f) ** 2
        if var > var_max:
            var_max = var
            best = t
    return best, image > best


def rgb_to_hsv(rgb):
    h = np.zeros(rgb.shape[:2])
    s = np.zeros(rgb.shape[:2])
    mx = rgb.max(axis=2)
    mn = rgb.min(axis=2)
    delta = mx - mn
    r, g, b = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    nz = delta > 0
    m = nz & (mx == r)
    h[m] = ((g[m] - b[m]) / delta[m]) % 6
    m = nz & (mx == g) & (mx != r)
    h[m] = (b[m] - r[m]) / delta[m] + 2
    m = nz & (mx == b) & (mx != r) & (mx != g)
    h[m] = (r[m] - g[m]) / delta[m] + 4
    s[mx > 0] = delta[mx > 0] / mx[mx > 0]
    return np.dstack([h * 60, s, mx])


def floyd_steinberg(img):
    img = img.astype(float)
    h, w = img.shape
    for y in range(h):
        for x in range(w):
            old = img[y, x]
            new = 255.0 if old > 127 else 0.0
            img[y, x] = new
            err = old - new
            if x + 1 < w:
                img[y, x + 1] += err * 7 / 16
            if y + 1 < h:
                if x > 0:
                    img[y + 1, x - 1] += err * 3 / 16
                img[y + 1, x] += err * 5 / 16
                if x + 1 < w:
                    img[y + 1, x + 1] += err * 1 / 16
    return img.astype(np.uint8)


def label_components(mask):
    labels = np.zeros(mask.shape, dtype=int)
    current = 0
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if mask[i, j] and labels[i, j] == 0:
                current += 1
                queue = [(i, j)]
                labels[i, j] = current
                while queue:
                    y, x = queue.pop(0)
                    for ny, nx in [(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)]:
                        if 0 <= ny < mask.shape[0] and 0 <= nx < mask.shape[1]:
                            if mask[ny, nx] and labels[ny, nx] == 0:
                                labels[ny, nx] = current
                                queue.append((ny, nx))
    return labels, current


def bilateral(img, radius, sigma_s, sigma_r):
    out = np.zeros_like(img)
    h, w = img.shape
    for y in range(radius, h - radius):
        for x in range(radius, w - radius):
            patch = img[y - radius : y + radius + 1, x - radius : x + radius + 1]
            dy, dx = np.mgrid[-radius : radius + 1, -radius : radius + 1]
            weights = np.exp(
                -(dx**2 + dy**2) / (2 * sigma_s**2) - (patch - img[y, x]) ** 2 / (2 * sigma_r**2)
            )
            out[y, x] = (weights * patch).sum() / weights.sum()
    return out


def resize_nearest(img, new_h, new_w):
    h, w = img.shape[:2]
    rows = (np.arange(new_h) * h / new_h).astype(int)
    cols = (np.arange(new_w) * w / new_w).astype(int)
    return img[rows][:, cols]


def rotate_image(img, degrees):
    h, w = img.shape
    out = np.zeros_like(img)
    a = np.deg2rad(degrees)
    cy, cx = (h - 1) / 2, (w - 1) / 2
    for y in range(h):
        for x in range(w):
            sx = np.cos(a) * (x - cx) + np.sin(a) * (y - cy) + cx
            sy = -np.sin(a) * (x - cx) + np.cos(a) * (y - cy) + cy
            ix, iy = int(round(sx)), int(round(sy))
            if 0 <= ix < w and 0 <= iy < h:
                out[y, x] = img[iy, ix]
    return out


def hough_lines(edges, n_theta):
    h, w = edges.shape
    diag = int(np.ceil(np.hypot(h, w)))
    thetas = np.linspace(-np.pi / 2, np.pi / 2, n_theta)
    acc = np.zeros((2 * diag, n_theta), dtype=np.int64)
    ys, xs = np.nonzero(edges)
    for y, x in zip(ys, xs):
        for t in range(n_theta):
            rho = int(round(x * np.cos(thetas[t]) + y * np.sin(thetas[t]))) + diag
            acc[rho, t] += 1
    return acc


def dft(x):
    N = len(x)
    X = np.zeros(N, dtype=complex)
    for k in range(N):
        for n in range(N):
            X[k] += x[n] * np.exp(-2j * np.pi * k * n / N)
    return X


def fft_recursive(x):
    n = len(x)
    if n == 1:
        return x
    even = fft_recursive(x[0::2])
    odd = fft_recursive(x[1::2])
    factor = np.exp(-2j * np.pi * np.arange(n // 2) / n)
    return np.concatenate([even + factor * odd, even - factor * odd])


def fir_filter(x, taps):
    y = np.zeros(len(x))
    for n in range(len(x)):
        acc = 0.0
        for k in range(len(taps)):
            if n - k >= 0:
                acc += taps[k] * x[n - k]
        y[n] = acc
    return y


def iir_biquad(x, b, a):
    y = np.zeros_like(x)
    x1 = x2 = y1 = y2 = 0.0
    for i, v in enumerate(x):
        y[i] = b[0] * v + b[1] * x1 + b[2] * x2 - a[1] * y1 - a[2] * y2
        x2, x1 = x1, v
        y2, y1 = y1, y[i]
    return y


class LowPass:
    def __init__(self, alpha):
        self.alpha = alpha
        self.state = None

    def __call__(self, sample):
        if self.state is None:
            self.state = sample
        else:
            self.state = self.alpha * sample + (1 - self.alpha) * self.state
        return self.state


def smooth_stream(samples, alpha):
    f = LowPass(alpha)
    return np.array([f(s) for s in samples])


def moving_average(x, window):
    c = np.cumsum(np.insert(x, 0, 0.0))
    return (c[window:] - c[:-window]) / window


def detect_peaks(signal, threshold, distance):
    peaks = []
    last = -distance
    for i in range(1, len(signal) - 1):
        if signal[i] > threshold and signal[i] > signal[i - 1] and signal[i] >= signal[i + 1]:
            if i - last >= distance:
                peaks.append(i)
                last = i
            elif signal[i] > signal[peaks[-1]]:
                peaks[-1] = i
                last = i
    return peaks


def goertzel(samples, rate, freqs):
    powers = {}
    n = len(samples)
    for f in freqs:
        k = int(0.5 + n * f / rate)
        w = 2 * np.pi * k / n
        coeff = 2 * np.cos(w)
        s1 = s2 = 0.0
        for x in samples:
            s0 = x + coeff * s1 - s2
            s2 = s1
            s1 = s0
        powers[f] = s1**2 + s2**2 - coeff * s1 * s2
    return powers


def spectrogram(x, n_fft, hop):
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n_fft) / n_fft)
    frames = []
    for start in range(0, len(x) - n_fft + 1, hop):
        seg = x[start : start + n_fft] * window
        frames.append(np.abs(np.fft.rfft(seg)) ** 2)
    return 10 * np.log10(np.array(frames).T + 1e-10)


def autocorrelation(x, max_lag):
    x = x - np.mean(x)
    result = []
    for lag in range(max_lag):
        if lag == 0:
            result.append(1.0)
        else:
            result.append(np.sum(x[lag:] * x[:-lag]) / np.sum(x * x))
    return result


def run_length_encode(row):
    runs = []
    i = 0
    while i < len(row):
        j = i
        while j < len(row) and row[j] == row[i]:
            j += 1
        runs.append((int(row[i]), j - i))
        i = j
    return runs


def haar_wavelet(signal, levels):
    out = signal.copy()
    n = len(signal)
    for _ in range(levels):
        half = n // 2
        tmp = out[:n].copy()
        for i in range(half):
            out[i] = (tmp[2 * i] + tmp[2 * i + 1]) / np.sqrt(2)
            out[half + i] = (tmp[2 * i] - tmp[2 * i + 1]) / np.sqrt(2)
        n = half
    return out


def _gray(h, w, seed=1):
    return random(seed).integers(0, 256, (h, w)).astype(np.uint8)


CASES = [
    Case(box_blur, lambda: (random(1).random((60, 60)), 1), lambda: (np.eye(3), 1)),
    Case(gaussian_blur, lambda: (random(2).random((50, 50)), 1.5), lambda: (np.eye(3), 1.0), ulp=64),
    Case(sobel_edges, lambda: (random(3).random((250, 250)), 0.5), lambda: (np.eye(4), 0.3), ulp=8),
    Case(median_filter, lambda: (_gray(60, 60), 3), lambda: (_gray(3, 3), 3)),
    Case(erode, lambda: (random(4).random((400, 400)) < 0.97, 20), lambda: (np.ones((3, 3), bool), 1)),
    Case(
        dilate_loops,
        lambda: ((random(5).random((100, 100)) < 0.2).astype(int), np.ones((3, 3), int)),
        lambda: (np.eye(3, dtype=int), np.ones((3, 3), int)),
    ),
    Case(equalize_histogram, lambda: (_gray(250, 250) // 3,), lambda: (_gray(3, 3),)),
    Case(otsu, lambda: (_gray(1000, 1000),), lambda: (_gray(3, 3),)),
    Case(rgb_to_hsv, lambda: (random(6).random((150, 150, 3)),), lambda: (random(6).random((2, 2, 3)),)),
    Case(floyd_steinberg, lambda: (_gray(80, 80),), lambda: (_gray(3, 3),)),
    Case(label_components, lambda: (random(7).random((70, 70)) < 0.5,), lambda: (np.eye(3, dtype=bool),)),
    Case(
        bilateral,
        lambda: (random(8).random((25, 25)), 2, 2.0, 0.2),
        lambda: (random(8).random((4, 4)), 1, 1.0, 0.5),
        ulp=64,
    ),
    Case(resize_nearest, lambda: (_gray(600, 800), 2048, 2048), lambda: (_gray(2, 3), 4, 4)),
    Case(rotate_image, lambda: (random(9).random((50, 50)), 30.0), lambda: (np.eye(3), 90.0)),
    Case(hough_lines, lambda: (random(10).random((80, 80)) < 0.02, 90), lambda: (np.eye(3, dtype=bool), 4)),
    Case(dft, lambda: (random(11).normal(size=128),), lambda: (np.array([1.0, 2.0, 3.0]),), atol=1e-11),
    Case(
        fft_recursive,
        lambda: (random(12).normal(size=1024),),
        lambda: (np.array([1.0, 2.0, 3.0, 4.0]),),
        atol=1e-12,
    ),
    Case(
        fir_filter,
        lambda: (random(13).normal(size=2000), np.ones(30) / 30),
        lambda: (np.arange(4.0), np.array([0.5, 0.5])),
    ),
    Case(
        iir_biquad,
        lambda: (random(14).normal(size=20000), [0.2, 0.4, 0.2], [1.0, -0.5, 0.3]),
        lambda: (np.arange(4.0), [0.2, 0.4, 0.2], [1.0, -0.5, 0.3]),
    ),
    Case(smooth_stream, lambda: (random(15).normal(size=20000), 0.1), lambda: (np.arange(3.0), 0.5)),
    Case(moving_average, lambda: (random(16).normal(size=300000), 50), lambda: (np.arange(5.0), 2)),
    Case(
        detect_peaks,
        lambda: (random(17).normal(size=20000), 1.0, 10),
        lambda: (np.array([0.0, 2.0, 1.0, 3.0, 0.0]), 0.5, 3),
    ),
    Case(
        goertzel,
        lambda: (random(18).normal(size=8000), 8000, [697, 770, 852, 941]),
        lambda: (np.ones(4), 4, [1]),
        ulp=1 << 20,
        atol=1e-6,
    ),
    Case(
        spectrogram,
        lambda: (random(19).normal(size=40000), 512, 128),
        lambda: (np.arange(8.0), 4, 2),
        ulp=1 << 12,
        atol=1e-9,
    ),
    Case(
        autocorrelation, lambda: (random(20).normal(size=20000), 200), lambda: (np.array([1.0, 2.0, 4.0]), 2)
    ),
    Case(run_length_encode, lambda: (random(21).integers(0, 2, 20000),), lambda: (np.array([1, 1, 0]),)),
    Case(haar_wavelet, lambda: (random(22).normal(size=4096), 6), lambda: (np.arange(4.0), 1)),
]
