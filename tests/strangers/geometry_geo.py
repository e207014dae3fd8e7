"""Points, polygons, maps, terrain and rays."""

import math

import numpy as np

from .case import Case, random


def cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def convex_hull(points):
    points = sorted(set(points))
    if len(points) <= 2:
        return points
    lower = []
    for p in points:
        while len(lower) >= 2 and cross(lower[-2], lower[-1], p) <= 0:
            lower.pop()
        lower.append(p)
    upper = []
    for p in reversed(points):
        while len(upper) >= 2 and cross(upper[-2], upper[-1], p) <= 0:
            upper.pop()
        upper.append(p)
    return lower[:-1] + upper[:-1]


def gift_wrapping(pts):
    n = len(pts)
    start = 0
    for i in range(n):
        if pts[i, 0] < pts[start, 0]:
            start = i
    hull = np.zeros(n, dtype=np.int64)
    count = 0
    p = start
    while True:
        hull[count] = p
        count += 1
        q = (p + 1) % n
        for r in range(n):
            turn = (pts[q, 0] - pts[p, 0]) * (pts[r, 1] - pts[p, 1]) - (pts[q, 1] - pts[p, 1]) * (
                pts[r, 0] - pts[p, 0]
            )
            if turn < 0:
                q = r
        p = q
        if p == start or count == n:
            break
    return hull[:count]


def point_in_polygon(x, y, poly):
    n = len(poly)
    inside = False
    p1x, p1y = poly[0]
    for i in range(n + 1):
        p2x, p2y = poly[i % n]
        if y > min(p1y, p2y):
            if y <= max(p1y, p2y):
                if x <= max(p1x, p2x):
                    if p1y != p2y:
                        xints = (y - p1y) * (p2x - p1x) / (p2y - p1y) + p1x
                    if p1x == p2x or x <= xints:
                        inside = not inside
        p1x, p1y = p2x, p2y
    return inside


def count_inside(xs, ys, poly):
    n = 0
    for x, y in zip(xs, ys):
        if point_in_polygon(x, y, poly):
            n += 1
    return n


def points_in_polygon_numpy(points, poly):
    x, y = points[:, 0], points[:, 1]
    inside = np.zeros(len(points), dtype=bool)
    j = len(poly) - 1
    for i in range(len(poly)):
        xi, yi = poly[i]
        xj, yj = poly[j]
        crosses = ((yi > y) != (yj > y)) & (x < (xj - xi) * (y - yi) / (yj - yi + 1e-300) + xi)
        inside ^= crosses
        j = i
    return inside


def shoelace(xy):
    area = 0.0
    n = len(xy)
    for i in range(n):
        j = (i + 1) % n
        area += xy[i][0] * xy[j][1]
        area -= xy[j][0] * xy[i][1]
    return abs(area) / 2.0


def haversine(lat1, lon1, lat2, lon2):
    R = 6371.0
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    dphi = phi2 - phi1
    dlam = math.radians(lon2 - lon1)
    a = math.sin(dphi / 2) ** 2 + math.cos(phi1) * math.cos(phi2) * math.sin(dlam / 2) ** 2
    return 2 * R * math.atan2(math.sqrt(a), math.sqrt(1 - a))


def track_length(track):
    total = 0.0
    longest = 0.0
    for (la1, lo1), (la2, lo2) in zip(track, track[1:]):
        d = haversine(la1, lo1, la2, lo2)
        total += d
        longest = max(longest, d)
    return total, longest


def distance_matrix(lat, lon):
    lat, lon = np.radians(lat), np.radians(lon)
    dlat = lat[:, None] - lat[None, :]
    dlon = lon[:, None] - lon[None, :]
    a = np.sin(dlat / 2) ** 2 + np.cos(lat)[:, None] * np.cos(lat)[None, :] * np.sin(dlon / 2) ** 2
    return 2 * 6371 * np.arcsin(np.sqrt(a))


def slope_aspect(dem, cell):
    rows, cols = dem.shape
    slope = np.full((rows, cols), np.nan)
    aspect = np.full((rows, cols), np.nan)
    for i in range(1, rows - 1):
        for j in range(1, cols - 1):
            z = dem[i - 1 : i + 2, j - 1 : j + 2]
            dzdx = ((z[0, 2] + 2 * z[1, 2] + z[2, 2]) - (z[0, 0] + 2 * z[1, 0] + z[2, 0])) / (8 * cell)
            dzdy = ((z[2, 0] + 2 * z[2, 1] + z[2, 2]) - (z[0, 0] + 2 * z[0, 1] + z[0, 2])) / (8 * cell)
            slope[i, j] = math.degrees(math.atan(math.sqrt(dzdx**2 + dzdy**2)))
            aspect[i, j] = math.degrees(math.atan2(dzdy, -dzdx))
    return slope, aspect


def hillshade(dem, azimuth, altitude):
    az = np.radians(360 - azimuth + 90)
    alt = np.radians(altitude)
    gy, gx = np.gradient(dem)
    slope = np.arctan(np.sqrt(gx**2 + gy**2))
    aspect = np.arctan2(-gx, gy)
    shaded = np.sin(alt) * np.cos(slope) + np.cos(alt) * np.sin(slope) * np.cos(az - aspect)
    return np.clip(255 * (shaded + 1) / 2, 0, 255).astype(np.uint8)


def flow_accumulation(dem):
    h, w = dem.shape
    acc = np.ones((h, w))
    order = np.argsort(dem, axis=None)[::-1]
    neighbours = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
    for flat in order:
        r, c = divmod(int(flat), w)
        best = 0.0
        target = None
        for dr, dc in neighbours:
            rr, cc = r + dr, c + dc
            if 0 <= rr < h and 0 <= cc < w:
                drop = (dem[r, c] - dem[rr, cc]) / math.hypot(dr, dc)
                if drop > best:
                    best = drop
                    target = (rr, cc)
        if target is not None:
            acc[target] += acc[r, c]
    return acc


def fill_nodata(grid, nodata):
    out = grid.copy()
    missing = np.argwhere(grid == nodata)
    for r, c in missing:
        r0, r1 = max(r - 1, 0), min(r + 2, grid.shape[0])
        c0, c1 = max(c - 1, 0), min(c + 2, grid.shape[1])
        window = grid[r0:r1, c0:c1]
        valid = window[window != nodata]
        if valid.size > 0:
            out[r, c] = valid.mean()
    return out


def idw(stations, values, grid_x, grid_y, power):
    result = np.zeros((len(grid_y), len(grid_x)))
    for i, y in enumerate(grid_y):
        for j, x in enumerate(grid_x):
            num = 0.0
            den = 0.0
            exact = None
            for k in range(len(stations)):
                d = math.sqrt((x - stations[k][0]) ** 2 + (y - stations[k][1]) ** 2)
                if d == 0:
                    exact = values[k]
                    break
                w = 1 / d**power
                num += w * values[k]
                den += w
            result[i, j] = exact if exact is not None else num / den
    return result


def douglas_peucker(points, eps):
    if len(points) < 3:
        return points
    start, end = points[0], points[-1]
    line = end - start
    norm = np.sqrt((line**2).sum())
    d = np.abs(line[0] * (points[:, 1] - start[1]) - line[1] * (points[:, 0] - start[0])) / norm
    k = int(np.argmax(d))
    if d[k] > eps:
        left = douglas_peucker(points[: k + 1], eps)
        right = douglas_peucker(points[k:], eps)
        return np.vstack([left[:-1], right])
    return np.array([start, end])


def closest_pair(pts):
    best = float("inf")
    pair = (0, 0)
    for i in range(len(pts)):
        for j in range(i + 1, len(pts)):
            d = math.hypot(pts[i][0] - pts[j][0], pts[i][1] - pts[j][1])
            if d < best:
                best = d
                pair = (i, j)
    return best, pair


class Sphere:
    def __init__(self, center, radius, color):
        self.center = np.array(center)
        self.radius = radius
        self.color = np.array(color)

    def intersect(self, origin, direction):
        oc = origin - self.center
        b = np.dot(oc, direction)
        c = np.dot(oc, oc) - self.radius**2
        disc = b * b - c
        if disc < 0:
            return None
        t = -b - np.sqrt(disc)
        return t if t > 1e-4 else None


def render(spheres, width, height):
    image = np.zeros((height, width, 3))
    light = np.array([0.5, 0.7, -0.5])
    light = light / np.linalg.norm(light)
    origin = np.zeros(3)
    for j in range(height):
        for i in range(width):
            d = np.array([(i - width / 2) / width, (height / 2 - j) / height, 1.0])
            d = d / np.linalg.norm(d)
            nearest, hit = np.inf, None
            for s in spheres:
                t = s.intersect(origin, d)
                if t is not None and t < nearest:
                    nearest, hit = t, s
            if hit is not None:
                n = (d * nearest - hit.center) / hit.radius
                image[j, i] = hit.color * max(n @ light, 0.1)
    return image


def ray_triangle(origins, directions, v0, v1, v2):
    e1 = v1 - v0
    e2 = v2 - v0
    hits = 0
    depth = np.full(len(origins), np.inf)
    for k in range(len(origins)):
        p = np.cross(directions[k], e2)
        det = np.dot(e1, p)
        if abs(det) < 1e-12:
            continue
        inv = 1.0 / det
        t_vec = origins[k] - v0
        u = np.dot(t_vec, p) * inv
        if u < 0 or u > 1:
            continue
        q = np.cross(t_vec, e1)
        v = np.dot(directions[k], q) * inv
        if v < 0 or u + v > 1:
            continue
        depth[k] = np.dot(e2, q) * inv
        hits += 1
    return hits, depth


def rasterise_line(canvas, x0, y0, x1, y1):
    dx, dy = abs(x1 - x0), -abs(y1 - y0)
    sx = 1 if x0 < x1 else -1
    sy = 1 if y0 < y1 else -1
    err = dx + dy
    while True:
        canvas[y0, x0] = 1
        if x0 == x1 and y0 == y1:
            break
        e2 = 2 * err
        if e2 >= dy:
            err += dy
            x0 += sx
        if e2 <= dx:
            err += dx
            y0 += sy


def draw_star(size, n):
    canvas = np.zeros((size, size), dtype=np.uint8)
    c = size // 2
    for k in range(n):
        a = 2 * math.pi * k / n
        rasterise_line(canvas, c, c, int(c + (c - 1) * math.cos(a)), int(c + (c - 1) * math.sin(a)))
    return canvas


def voronoi(seeds, h, w):
    yy, xx = np.mgrid[0:h, 0:w]
    best = np.full((h, w), np.inf)
    owner = np.zeros((h, w), dtype=int)
    for k, (sy, sx) in enumerate(seeds):
        d = (yy - sy) ** 2 + (xx - sx) ** 2
        closer = d < best
        best[closer] = d[closer]
        owner[closer] = k
    return owner


def rotate_points(points, axis, angle):
    axis = axis / np.linalg.norm(axis)
    a = np.cos(angle / 2)
    b, c, d = -axis * np.sin(angle / 2)
    R = np.array(
        [
            [a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)],
            [2 * (b * c - a * d), a * a + c * c - b * b - d * d, 2 * (c * d + a * b)],
            [2 * (b * d + a * c), 2 * (c * d - a * b), a * a + d * d - b * b - c * c],
        ]
    )
    out = np.zeros_like(points)
    for i in range(len(points)):
        out[i] = R.dot(points[i])
    return out


def latlon_to_tiles(lats, lons, zoom):
    tiles = {}
    n = 2**zoom
    for lat, lon in zip(lats, lons):
        x = int((lon + 180.0) / 360.0 * n)
        y = int((1.0 - math.asinh(math.tan(math.radians(lat))) / math.pi) / 2.0 * n)
        key = f"{zoom}/{x}/{y}"
        tiles[key] = tiles.get(key, 0) + 1
    return tiles


def line_of_sight(dem, observer, height):
    rows, cols = dem.shape
    visible = np.zeros(dem.shape, dtype=bool)
    r0, c0 = observer
    z0 = dem[r0, c0] + height
    for r in range(rows):
        for c in range(cols):
            steps = max(abs(r - r0), abs(c - c0))
            if steps == 0:
                visible[r, c] = True
                continue
            blocked = False
            target = (dem[r, c] - z0) / steps
            for s in range(1, steps):
                rr = r0 + (r - r0) * s // steps
                cc = c0 + (c - c0) * s // steps
                if (dem[rr, cc] - z0) / s > target:
                    blocked = True
                    break
            visible[r, c] = not blocked
    return visible


def _polygon(n):
    a = np.linspace(0, 2 * np.pi, n, endpoint=False)
    r = 1 + 0.3 * np.sin(5 * a)
    return [(float(x), float(y)) for x, y in zip(r * np.cos(a), r * np.sin(a))]


def _dem(h, w):
    y, x = np.mgrid[0:h, 0:w]
    return 50 * np.sin(x / 9) + 40 * np.cos(y / 7) + random(1).random((h, w))


def _spheres():
    return [Sphere([0.0, 0.0, 3.0], 1.0, [1.0, 0.2, 0.2]), Sphere([1.0, 0.5, 4.0], 0.7, [0.2, 1.0, 0.2])]


CASES = [
    Case(
        convex_hull,
        lambda: ([(float(x), float(y)) for x, y in random(2).random((2500, 2))],),
        lambda: ([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.2, 0.2)],),
    ),
    Case(
        gift_wrapping,
        lambda: (random(3).normal(size=(800, 2)),),
        lambda: (np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),),
    ),
    Case(
        count_inside,
        lambda: (random(4).uniform(-1, 1, 300), random(5).uniform(-1, 1, 300), _polygon(60)),
        lambda: ([0.1], [0.1], _polygon(4)),
        slow=True,
    ),
    Case(
        points_in_polygon_numpy,
        lambda: (random(6).uniform(-1, 1, (5000, 2)), _polygon(80)),
        lambda: (np.zeros((2, 2)), _polygon(4)),
    ),
    Case(shoelace, lambda: (_polygon(10000),), lambda: (_polygon(3),)),
    Case(
        track_length,
        lambda: ([(47 + 0.001 * k, 8 + 0.002 * (k % 50)) for k in range(5000)],),
        lambda: ([(47.0, 8.0), (47.1, 8.1)],),
        ulp=1 << 12,
    ),
    Case(
        distance_matrix,
        lambda: (random(7).uniform(-80, 80, 300), random(8).uniform(-180, 180, 300)),
        lambda: (np.array([0.0, 10.0]), np.array([0.0, 20.0])),
        ulp=1 << 12,
        atol=1e-9,
    ),
    Case(slope_aspect, lambda: (_dem(50, 50), 30.0), lambda: (_dem(3, 4), 30.0), ulp=64),
    Case(hillshade, lambda: (_dem(300, 300), 315.0, 45.0), lambda: (_dem(3, 3), 315.0, 45.0)),
    Case(flow_accumulation, lambda: (_dem(50, 50),), lambda: (_dem(3, 3),)),
    Case(
        fill_nodata,
        lambda: (np.where(random(9).random((120, 120)) < 0.1, -9999.0, 5.0), -9999.0),
        lambda: (np.array([[1.0, -9999.0], [3.0, 4.0]]), -9999.0),
    ),
    Case(
        idw,
        lambda: (
            random(10).random((20, 2)).tolist(),
            random(11).random(20).tolist(),
            np.linspace(0, 1, 30),
            np.linspace(0, 1, 30),
            2,
        ),
        lambda: ([[0.0, 0.0], [1.0, 1.0]], [1.0, 2.0], [0.0, 0.5], [0.0], 2),
        ulp=64,
    ),
    Case(
        douglas_peucker,
        lambda: (np.column_stack([np.arange(4000.0), random(12).normal(size=4000).cumsum()]), 2.0),
        lambda: (np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 0.0]]), 0.5),
    ),
    Case(
        closest_pair,
        lambda: (random(13).random((220, 2)).tolist(),),
        lambda: ([[0.0, 0.0], [1.0, 1.0], [0.1, 0.0]],),
        ulp=2,
    ),
    Case(render, lambda: (_spheres(), 32, 24), lambda: (_spheres(), 4, 3)),
    Case(
        ray_triangle,
        lambda: (
            random(14).random((400, 3)),
            random(15).normal(size=(400, 3)),
            np.array([0.0, 0.0, 2.0]),
            np.array([2.0, 0.0, 2.0]),
            np.array([0.0, 2.0, 2.0]),
        ),
        lambda: (
            np.zeros((1, 3)),
            np.array([[0.1, 0.1, 1.0]]),
            np.array([0.0, 0.0, 2.0]),
            np.array([2.0, 0.0, 2.0]),
            np.array([0.0, 2.0, 2.0]),
        ),
        ulp=1 << 12,
        atol=1e-12,
    ),
    Case(draw_star, lambda: (401, 60), lambda: (9, 4)),
    Case(voronoi, lambda: (random(16).integers(0, 120, (40, 2)), 120, 120), lambda: ([(0, 0), (2, 2)], 3, 3)),
    Case(
        rotate_points,
        lambda: (random(17).random((8000, 3)), np.array([1.0, 1.0, 0.0]), 0.7),
        lambda: (np.eye(3), np.array([0.0, 0.0, 1.0]), 1.0),
        ulp=1 << 12,
        atol=1e-12,
    ),
    Case(
        latlon_to_tiles,
        lambda: (random(18).uniform(-80, 80, 5000), random(19).uniform(-179, 179, 5000), 6),
        lambda: ([47.0, 47.1], [8.0, 8.1], 3),
    ),
    Case(line_of_sight, lambda: (_dem(40, 40), (20, 20), 2.0), lambda: (_dem(3, 3), (1, 1), 2.0)),
]
