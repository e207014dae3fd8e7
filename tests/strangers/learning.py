"""Machine learning from scratch: clusters, classifiers, small networks, trees."""

import math

import numpy as np

from .case import Case, random


def kmeans(X, k, iters, rng):
    centers = X[rng.choice(len(X), k, replace=False)]
    for _ in range(iters):
        d = np.linalg.norm(X[:, None, :] - centers[None, :, :], axis=2)
        labels = d.argmin(axis=1)
        new = np.array([X[labels == j].mean(axis=0) if np.any(labels == j) else centers[j] for j in range(k)])
        if np.allclose(new, centers):
            break
        centers = new
    return centers, labels


def kmeans_loops(points, centers, steps):
    n, dim = points.shape
    k = centers.shape[0]
    centers = centers.copy()
    labels = np.zeros(n, dtype=int)
    for s in range(steps):
        for i in range(n):
            best = -1
            best_dist = float("inf")
            for c in range(k):
                dist = 0.0
                for d in range(dim):
                    dist += (points[i, d] - centers[c, d]) ** 2
                if dist < best_dist:
                    best_dist = dist
                    best = c
            labels[i] = best
        for c in range(k):
            count = 0
            total = np.zeros(dim)
            for i in range(n):
                if labels[i] == c:
                    total += points[i]
                    count += 1
            if count > 0:
                centers[c] = total / count
    return centers, labels


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def logistic_regression(X, y, lr, epochs):
    w = np.zeros(X.shape[1])
    b = 0.0
    losses = []
    for epoch in range(epochs):
        p = sigmoid(X @ w + b)
        loss = -np.mean(y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9))
        losses.append(loss)
        grad_w = X.T @ (p - y) / len(y)
        grad_b = np.mean(p - y)
        w -= lr * grad_w
        b -= lr * grad_b
    return w, b, losses


class Perceptron:
    def __init__(self, n_features, eta):
        self.w = np.zeros(n_features)
        self.b = 0.0
        self.eta = eta
        self.errors = []

    def predict(self, x):
        return 1 if np.dot(self.w, x) + self.b >= 0 else -1

    def fit(self, X, y, epochs):
        for _ in range(epochs):
            wrong = 0
            for xi, target in zip(X, y):
                update = self.eta * (target - self.predict(xi))
                if update != 0:
                    self.w += update * xi
                    self.b += update
                    wrong += 1
            self.errors.append(wrong)
            if wrong == 0:
                break
        return self


def train_perceptron(model, X, y, epochs):
    model.fit(X, y, epochs)
    return model.w, model.b, model.errors


def gaussian_naive_bayes(X, y, queries):
    classes = np.unique(y)
    means, variances, priors = {}, {}, {}
    for c in classes:
        Xc = X[y == c]
        means[c] = Xc.mean(axis=0)
        variances[c] = Xc.var(axis=0) + 1e-9
        priors[c] = len(Xc) / len(X)
    predictions = []
    for q in queries:
        best, best_score = None, -np.inf
        for c in classes:
            ll = -0.5 * np.sum(np.log(2 * np.pi * variances[c])) - 0.5 * np.sum(
                (q - means[c]) ** 2 / variances[c]
            )
            score = ll + np.log(priors[c])
            if score > best_score:
                best, best_score = c, score
        predictions.append(best)
    return predictions


def decision_stump(X, y, weights):
    best = (None, None, None, np.inf)
    for feature in range(X.shape[1]):
        for threshold in np.unique(X[:, feature]):
            for polarity in (1, -1):
                pred = np.ones(len(y))
                pred[polarity * X[:, feature] < polarity * threshold] = -1
                error = weights[pred != y].sum()
                if error < best[3]:
                    best = (feature, threshold, polarity, error)
    return best


def adaboost(X, y, rounds):
    w = np.full(len(y), 1 / len(y))
    alphas = []
    for _ in range(rounds):
        f, t, p, err = decision_stump(X, y, w)
        alpha = 0.5 * np.log((1 - err + 1e-10) / (err + 1e-10))
        pred = np.where(p * X[:, f] < p * t, -1, 1)
        w *= np.exp(-alpha * y * pred)
        w /= w.sum()
        alphas.append(alpha)
    return np.array(alphas), w


def pca_power(X, n_components, n_iter):
    X = X - X.mean(axis=0)
    C = X.T @ X / (len(X) - 1)
    components = np.zeros((n_components, X.shape[1]))
    values = np.zeros(n_components)
    for i in range(n_components):
        v = np.ones(X.shape[1]) / np.sqrt(X.shape[1])
        for _ in range(n_iter):
            v = C @ v
            v /= np.sqrt((v**2).sum())
        lam = v @ C @ v
        components[i] = v
        values[i] = lam
        C = C - lam * np.outer(v, v)
    return components, values


def gmm_1d(x, mu, sigma, pi, steps):
    mu, sigma, pi = np.array(mu), np.array(sigma), np.array(pi)
    for _ in range(steps):
        dens = np.exp(-0.5 * ((x[:, None] - mu) / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi))
        resp = dens * pi
        resp /= resp.sum(axis=1, keepdims=True)
        nk = resp.sum(axis=0)
        mu = (resp * x[:, None]).sum(axis=0) / nk
        sigma = np.sqrt((resp * (x[:, None] - mu) ** 2).sum(axis=0) / nk)
        pi = nk / len(x)
    return mu, sigma, pi


def knn_predict(train, labels, test, k):
    out = []
    for t in test:
        distances = np.sqrt(((train - t) ** 2).sum(axis=1))
        nearest = np.argsort(distances)[:k]
        votes = {}
        for idx in nearest:
            label = int(labels[idx])
            votes[label] = votes.get(label, 0) + 1
        out.append(max(votes, key=votes.get))
    return out


def linear_regression_sgd(X, y, lr, epochs):
    n, m = X.shape
    w = [0.0] * m
    b = 0.0
    for e in range(epochs):
        for i in range(n):
            pred = b
            for j in range(m):
                pred += w[j] * X[i][j]
            err = pred - y[i]
            for j in range(m):
                w[j] -= lr * err * X[i][j]
            b -= lr * err
    return w, b


class TwoLayerNet:
    def __init__(self, n_in, n_hidden, n_out, rng):
        self.params = {
            "W1": rng.normal(0, 0.1, (n_in, n_hidden)),
            "b1": np.zeros(n_hidden),
            "W2": rng.normal(0, 0.1, (n_hidden, n_out)),
            "b2": np.zeros(n_out),
        }

    def step(self, X, Y, lr):
        p = self.params
        h = np.maximum(0, X @ p["W1"] + p["b1"])
        scores = h @ p["W2"] + p["b2"]
        scores -= scores.max(axis=1, keepdims=True)
        e = np.exp(scores)
        probs = e / e.sum(axis=1, keepdims=True)
        loss = -np.log(probs[np.arange(len(Y)), Y]).mean()
        d = probs.copy()
        d[np.arange(len(Y)), Y] -= 1
        d /= len(Y)
        grads = {"W2": h.T @ d, "b2": d.sum(axis=0)}
        dh = d @ p["W2"].T
        dh[h <= 0] = 0
        grads["W1"] = X.T @ dh
        grads["b1"] = dh.sum(axis=0)
        for name in p:
            p[name] -= lr * grads[name]
        return loss


def train_network(net, X, Y, lr, steps):
    return [net.step(X, Y, lr) for _ in range(steps)], net.params["W1"]


def xor_backprop(epochs, lr):
    X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    T = [0, 1, 1, 0]
    w1 = [[0.5, -0.4], [0.3, 0.8]]
    b1 = [0.1, -0.2]
    w2 = [0.7, -0.6]
    b2 = 0.05
    for _ in range(epochs):
        for x, t in zip(X, T):
            h = []
            for j in range(2):
                a = b1[j] + x[0] * w1[0][j] + x[1] * w1[1][j]
                h.append(1 / (1 + math.exp(-a)))
            o = 1 / (1 + math.exp(-(b2 + h[0] * w2[0] + h[1] * w2[1])))
            delta = (o - t) * o * (1 - o)
            for j in range(2):
                dj = delta * w2[j] * h[j] * (1 - h[j])
                w2[j] -= lr * delta * h[j]
                w1[0][j] -= lr * dj * x[0]
                w1[1][j] -= lr * dj * x[1]
                b1[j] -= lr * dj
            b2 -= lr * delta
    return w1, b1, w2, b2


def svm_pegasos(X, y, lam, steps, rng):
    w = np.zeros(X.shape[1])
    for t in range(1, steps + 1):
        i = rng.integers(len(X))
        eta = 1 / (lam * t)
        if y[i] * np.dot(w, X[i]) < 1:
            w = (1 - eta * lam) * w + eta * y[i] * X[i]
        else:
            w = (1 - eta * lam) * w
    return w


def gini_split(x, y):
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    n = len(x)
    ones_left = 0
    ones_total = int(y.sum())
    best, where = 1.0, None
    for i in range(n - 1):
        ones_left += y[i]
        if x[i] == x[i + 1]:
            continue
        nl = i + 1
        nr = n - nl
        pl = ones_left / nl
        pr = (ones_total - ones_left) / nr
        g = nl / n * 2 * pl * (1 - pl) + nr / n * 2 * pr * (1 - pr)
        if g < best:
            best, where = g, (x[i] + x[i + 1]) / 2
    return best, where


def grow_tree(X, y, depth):
    if depth == 0 or len(set(y.tolist())) == 1:
        return int(y.sum() * 2 >= len(y))
    scores = [gini_split(X[:, f], y) for f in range(X.shape[1])]
    f = min(range(len(scores)), key=lambda k: scores[k][0])
    t = scores[f][1]
    if t is None:
        return int(y.sum() * 2 >= len(y))
    left = X[:, f] <= t
    return {
        "f": f,
        "t": float(t),
        "l": grow_tree(X[left], y[left], depth - 1),
        "r": grow_tree(X[~left], y[~left], depth - 1),
    }


def q_learning(size, episodes, rng):
    Q = np.zeros((size, size, 4))
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    lengths = []
    for ep in range(episodes):
        r = c = 0
        n = 0
        while (r, c) != (size - 1, size - 1) and n < 200:
            if rng.random() < 0.1:
                a = int(rng.integers(4))
            else:
                a = int(np.argmax(Q[r, c]))
            r2 = min(max(r + moves[a][0], 0), size - 1)
            c2 = min(max(c + moves[a][1], 0), size - 1)
            reward = 1.0 if (r2, c2) == (size - 1, size - 1) else -0.01
            Q[r, c, a] += 0.5 * (reward + 0.9 * Q[r2, c2].max() - Q[r, c, a])
            r, c = r2, c2
            n += 1
        lengths.append(n)
    return Q, lengths


def confusion(y_true, y_pred, n_classes):
    m = np.zeros((n_classes, n_classes), dtype=int)
    for t, p in zip(y_true, y_pred):
        m[t][p] += 1
    precision = []
    for c in range(n_classes):
        col = m[:, c].sum()
        precision.append(m[c, c] / col if col else 0.0)
    return m, precision


def roc_auc(scores, labels):
    order = np.argsort(-scores)
    tp = fp = 0
    prev_tp = prev_fp = 0
    area = 0.0
    last = None
    for i in order:
        if scores[i] != last:
            area += (fp - prev_fp) * (tp + prev_tp) / 2
            prev_tp, prev_fp = tp, fp
            last = scores[i]
        if labels[i] == 1:
            tp += 1
        else:
            fp += 1
    area += (fp - prev_fp) * (tp + prev_tp) / 2
    if tp == 0 or fp == 0:
        return float("nan")
    return area / (tp * fp)


def batchnorm_forward(x, gamma, beta, running, momentum):
    outs = []
    for batch in x:
        mu = batch.mean(axis=0)
        var = batch.var(axis=0)
        running["mean"] = momentum * running["mean"] + (1 - momentum) * mu
        running["var"] = momentum * running["var"] + (1 - momentum) * var
        outs.append(gamma * (batch - mu) / np.sqrt(var + 1e-5) + beta)
    return np.stack(outs), running


def attention(q, k, v, causal):
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    if causal:
        n = q.shape[1]
        mask = np.triu(np.ones((n, n), dtype=bool), 1)
        scores = np.where(mask, -np.inf, scores)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v


def _blobs(n, seed=1):
    rng = random(seed)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 4)) + y[:, None] * 1.5, y


def _signed(n):
    X, y = _blobs(n)
    return X, 2 * y - 1


CASES = [
    Case(
        kmeans, lambda: (_blobs(2000)[0], 5, 20, random(2)), lambda: (_blobs(6)[0], 2, 3, random(2)), ulp=64
    ),
    Case(
        kmeans_loops, lambda: (_blobs(300)[0], _blobs(4, 2)[0], 5), lambda: (_blobs(5)[0], _blobs(2, 2)[0], 2)
    ),
    Case(
        logistic_regression,
        lambda: (*_blobs(1000), 0.1, 150),
        lambda: (*_blobs(5), 0.1, 2),
        ulp=1 << 12,
        atol=1e-12,
    ),
    Case(
        train_perceptron,
        lambda: (Perceptron(4, 0.1), *_signed(1000), 10),
        lambda: (Perceptron(4, 0.1), *_signed(4), 2),
    ),
    Case(
        gaussian_naive_bayes, lambda: (*_blobs(500), _blobs(150, 3)[0]), lambda: (*_blobs(8), _blobs(2, 3)[0])
    ),
    Case(adaboost, lambda: (*_signed(60), 5), lambda: (*_signed(5), 1), ulp=1 << 12),
    Case(
        pca_power,
        lambda: (random(4).normal(size=(500, 30)), 5, 100),
        lambda: (random(4).normal(size=(5, 2)), 1, 2),
        ulp=1 << 12,
        atol=1e-9,
    ),
    Case(
        gmm_1d,
        lambda: (random(5).normal(size=3000), [-1.0, 1.0, 2.0], [1.0, 1.0, 0.5], [0.3, 0.3, 0.4], 30),
        lambda: (np.array([0.0, 1.0, 5.0]), [0.0, 4.0], [1.0, 1.0], [0.5, 0.5], 2),
        ulp=1 << 14,
    ),
    Case(knn_predict, lambda: (*_blobs(500), _blobs(150, 6)[0], 5), lambda: (*_blobs(5), _blobs(2, 6)[0], 3)),
    Case(
        linear_regression_sgd,
        lambda: (_blobs(500)[0], _blobs(500)[1].astype(float), 0.01, 5),
        lambda: (_blobs(3)[0], np.ones(3), 0.01, 2),
    ),
    Case(
        train_network,
        lambda: (
            TwoLayerNet(4, 20, 3, random(7)),
            random(8).normal(size=(100, 4)),
            random(9).integers(0, 3, 100),
            0.1,
            80,
        ),
        lambda: (TwoLayerNet(2, 3, 2, random(7)), np.ones((2, 2)), np.array([0, 1]), 0.1, 1),
        ulp=1 << 14,
        atol=1e-10,
    ),
    Case(xor_backprop, lambda: (400, 0.5), lambda: (2, 0.5), ulp=1 << 16, atol=1e-10),
    Case(
        svm_pegasos,
        lambda: (*_signed(400), 0.01, 2000, random(10)),
        lambda: (*_signed(4), 0.1, 3, random(10)),
    ),
    Case(grow_tree, lambda: (*_blobs(1000), 4), lambda: (*_blobs(6), 2)),
    Case(q_learning, lambda: (5, 60, random(11)), lambda: (2, 2, random(11))),
    Case(
        confusion,
        lambda: (random(12).integers(0, 5, 10000), random(13).integers(0, 5, 10000), 5),
        lambda: (np.array([0, 1, 1]), np.array([0, 0, 1]), 2),
    ),
    Case(
        roc_auc,
        lambda: (random(14).random(8000), random(15).integers(0, 2, 8000)),
        lambda: (np.array([0.1, 0.9, 0.9]), np.array([0, 1, 0])),
    ),
    Case(
        batchnorm_forward,
        lambda: (
            random(16).normal(size=(40, 64, 32)),
            np.ones(32),
            np.zeros(32),
            {"mean": np.zeros(32), "var": np.ones(32)},
            0.9,
        ),
        lambda: (np.ones((1, 2, 2)), np.ones(2), np.zeros(2), {"mean": np.zeros(2), "var": np.ones(2)}, 0.9),
    ),
    Case(
        attention,
        lambda: (
            random(17).normal(size=(8, 120, 32)),
            random(18).normal(size=(8, 120, 32)),
            random(19).normal(size=(8, 120, 32)),
            True,
        ),
        lambda: (np.ones((1, 2, 3)), np.ones((1, 2, 3)), np.ones((1, 2, 3)), False),
        ulp=256,
        atol=1e-12,
    ),
]
