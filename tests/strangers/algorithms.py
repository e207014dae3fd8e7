"""Sorting, searching, dynamic programming, graphs and puzzles, of every textbook and interview."""

import heapq

import numpy as np

from .case import Case, random


def bubble_sort(a):
    n = len(a)
    for i in range(n):
        swapped = False
        for j in range(n - i - 1):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
        if not swapped:
            break
    return a


def insertion_sort(values):
    arr = list(values)
    for i in range(1, len(arr)):
        key = arr[i]
        j = i - 1
        while j >= 0 and arr[j] > key:
            arr[j + 1] = arr[j]
            j -= 1
        arr[j + 1] = key
    return arr


def quicksort(arr):
    if len(arr) <= 1:
        return arr
    pivot = arr[len(arr) // 2]
    left = [x for x in arr if x < pivot]
    middle = [x for x in arr if x == pivot]
    right = [x for x in arr if x > pivot]
    return quicksort(left) + middle + quicksort(right)


def quicksort_in_place(a, lo, hi):
    if lo >= hi:
        return
    pivot = a[(lo + hi) // 2]
    i, j = lo, hi
    while i <= j:
        while a[i] < pivot:
            i += 1
        while a[j] > pivot:
            j -= 1
        if i <= j:
            a[i], a[j] = a[j], a[i]
            i += 1
            j -= 1
    quicksort_in_place(a, lo, j)
    quicksort_in_place(a, i, hi)


def merge_sort(a):
    n = len(a)
    src = a.copy()
    dst = np.empty_like(a)
    width = 1
    while width < n:
        for lo in range(0, n, 2 * width):
            mid = min(lo + width, n)
            hi = min(lo + 2 * width, n)
            i, j = lo, mid
            for k in range(lo, hi):
                if i < mid and (j >= hi or src[i] <= src[j]):
                    dst[k] = src[i]
                    i += 1
                else:
                    dst[k] = src[j]
                    j += 1
        src, dst = dst, src
        width *= 2
    return src


def heap_sort(a):
    def sift_down(start, end):
        root = start
        while 2 * root + 1 <= end:
            child = 2 * root + 1
            if child + 1 <= end and a[child] < a[child + 1]:
                child += 1
            if a[root] < a[child]:
                a[root], a[child] = a[child], a[root]
                root = child
            else:
                return

    n = len(a)
    for s in range((n - 2) // 2, -1, -1):
        sift_down(s, n - 1)
    for end in range(n - 1, 0, -1):
        a[0], a[end] = a[end], a[0]
        sift_down(0, end - 1)


def counting_sort(a, k):
    counts = [0] * k
    for x in a:
        counts[x] += 1
    out = []
    for v, c in enumerate(counts):
        out.extend([v] * c)
    return out


def sieve(n):
    is_prime = np.ones(n + 1, dtype=bool)
    is_prime[:2] = False
    i = 2
    while i * i <= n:
        if is_prime[i]:
            is_prime[i * i :: i] = False
        i += 1
    return np.flatnonzero(is_prime)


def sieve_loops(n):
    flags = [True] * (n + 1)
    primes = []
    for p in range(2, n + 1):
        if flags[p]:
            primes.append(p)
            for m in range(p * p, n + 1, p):
                flags[m] = False
    return primes


def edit_distance(s, t):
    m, n = len(s), len(t)
    d = np.zeros((m + 1, n + 1), dtype=int)
    d[:, 0] = np.arange(m + 1)
    d[0, :] = np.arange(n + 1)
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            cost = 0 if s[i - 1] == t[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[m, n]


def knapsack(weights, values, capacity):
    dp = np.zeros(capacity + 1, dtype=np.int64)
    for i in range(len(weights)):
        w = weights[i]
        v = values[i]
        for c in range(capacity, w - 1, -1):
            if dp[c - w] + v > dp[c]:
                dp[c] = dp[c - w] + v
    return dp[capacity]


def knapsack_lists(weights, values, capacity):
    n = len(weights)
    table = [[0 for _ in range(capacity + 1)] for _ in range(n + 1)]
    for i in range(1, n + 1):
        for c in range(capacity + 1):
            table[i][c] = table[i - 1][c]
            if weights[i - 1] <= c:
                table[i][c] = max(table[i][c], table[i - 1][c - weights[i - 1]] + values[i - 1])
    chosen = []
    c = capacity
    for i in range(n, 0, -1):
        if table[i][c] != table[i - 1][c]:
            chosen.append(i - 1)
            c -= weights[i - 1]
    return table[n][capacity], chosen[::-1]


def lcs(a, b):
    L = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                L[i + 1, j + 1] = L[i, j] + 1
            else:
                L[i + 1, j + 1] = max(L[i + 1, j], L[i, j + 1])
    out = []
    i, j = len(a), len(b)
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            out.append(a[i - 1])
            i -= 1
            j -= 1
        elif L[i - 1, j] >= L[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return L[-1, -1], out[::-1]


def smith_waterman(a, b, match, mismatch, gap):
    H = np.zeros((a.size + 1, b.size + 1))
    best = 0.0
    pos = (0, 0)
    for i in range(1, a.size + 1):
        for j in range(1, b.size + 1):
            s = match if a[i - 1] == b[j - 1] else mismatch
            H[i, j] = max(0.0, H[i - 1, j - 1] + s, H[i - 1, j] + gap, H[i, j - 1] + gap)
            if H[i, j] > best:
                best = H[i, j]
                pos = (i, j)
    return best, pos


def longest_increasing(a):
    n = len(a)
    best = [1] * n
    for i in range(n):
        for j in range(i):
            if a[j] < a[i] and best[j] + 1 > best[i]:
                best[i] = best[j] + 1
    return max(best) if n else 0


def n_queens(n):
    count = 0
    cols, d1, d2 = set(), set(), set()

    def place(row):
        nonlocal count
        if row == n:
            count += 1
            return
        for c in range(n):
            if c in cols or row + c in d1 or row - c in d2:
                continue
            cols.add(c)
            d1.add(row + c)
            d2.add(row - c)
            place(row + 1)
            cols.remove(c)
            d1.remove(row + c)
            d2.remove(row - c)

    place(0)
    return count


def n_queens_array(n):
    board = np.full(n, -1)
    row = 0
    solutions = 0
    while row >= 0:
        board[row] += 1
        if board[row] == n:
            board[row] = -1
            row -= 1
            continue
        ok = True
        for r in range(row):
            if board[r] == board[row] or abs(board[r] - board[row]) == row - r:
                ok = False
                break
        if ok:
            if row == n - 1:
                solutions += 1
            else:
                row += 1
    return solutions


def union_find(n, edges):
    parent = np.arange(n)
    size = np.ones(n, dtype=int)

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    components = n
    for a, b in edges:
        ra, rb = find(a), find(b)
        if ra == rb:
            continue
        if size[ra] < size[rb]:
            ra, rb = rb, ra
        parent[rb] = ra
        size[ra] += size[rb]
        components -= 1
    return components, size.max()


def bfs_grid(grid, start):
    rows, cols = grid.shape
    dist = -np.ones((rows, cols), dtype=int)
    queue = np.zeros((rows * cols, 2), dtype=int)
    head, tail = 0, 1
    queue[0] = start
    dist[start] = 0
    while head < tail:
        r, c = queue[head]
        head += 1
        for dr, dc in [(1, 0), (-1, 0), (0, 1), (0, -1)]:
            nr, nc = r + dr, c + dc
            if nr < 0 or nc < 0 or nr >= rows or nc >= cols:
                continue
            if grid[nr, nc] == 1 or dist[nr, nc] != -1:
                continue
            dist[nr, nc] = dist[r, c] + 1
            queue[tail] = (nr, nc)
            tail += 1
    return dist


def dijkstra(graph, source):
    dist = {node: float("inf") for node in graph}
    dist[source] = 0
    heap = [(0, source)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v, w in graph[u].items():
            nd = d + w
            if nd < dist[v]:
                dist[v] = nd
                heapq.heappush(heap, (nd, v))
    return dist


def dijkstra_matrix(W, source):
    n = W.shape[0]
    dist = np.full(n, np.inf)
    done = np.zeros(n, dtype=bool)
    prev = np.full(n, -1)
    dist[source] = 0
    for _ in range(n):
        u = -1
        for i in range(n):
            if not done[i] and (u == -1 or dist[i] < dist[u]):
                u = i
        if dist[u] == np.inf:
            break
        done[u] = True
        for v in range(n):
            if W[u, v] > 0 and dist[u] + W[u, v] < dist[v]:
                dist[v] = dist[u] + W[u, v]
                prev[v] = u
    return dist, prev


def floyd_warshall(d):
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def floyd_warshall_numpy(d):
    d = d.copy()
    for k in range(d.shape[0]):
        d = np.minimum(d, d[:, k, None] + d[None, k, :])
    return d


def game_of_life(world, generations):
    for _ in range(generations):
        neighbours = sum(
            np.roll(np.roll(world, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i != 0 or j != 0)
        )
        world = ((neighbours == 3) | ((world == 1) & (neighbours == 2))).astype(int)
    return world


def life_loops(cells, steps):
    h, w = cells.shape
    for step in range(steps):
        new = cells.copy()
        for i in range(h):
            for j in range(w):
                alive = 0
                for di in [-1, 0, 1]:
                    for dj in [-1, 0, 1]:
                        if di == 0 and dj == 0:
                            continue
                        alive += cells[(i + di) % h][(j + dj) % w]
                if cells[i, j] == 1 and (alive < 2 or alive > 3):
                    new[i, j] = 0
                elif cells[i, j] == 0 and alive == 3:
                    new[i, j] = 1
        cells = new
    return cells


def collatz_longest(limit):
    best, best_len = 1, 1
    for n in range(1, limit):
        length = 1
        x = n
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            length += 1
        if length > best_len:
            best, best_len = n, length
    return best, best_len


def collatz_cache(limit):
    cache = {1: 1}

    def length(n):
        if n not in cache:
            cache[n] = 1 + length(n // 2 if n % 2 == 0 else 3 * n + 1)
        return cache[n]

    return max(range(1, limit), key=length)


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def count_coprime(n):
    total = 0
    for i in range(1, n + 1):
        for j in range(i + 1, n + 1):
            if gcd(i, j) == 1:
                total += 1
    return total


def binary_search_all(table, queries):
    found = []
    for q in queries:
        lo, hi = 0, len(table) - 1
        where = -1
        while lo <= hi:
            mid = (lo + hi) // 2
            if table[mid] == q:
                where = mid
                break
            elif table[mid] < q:
                lo = mid + 1
            else:
                hi = mid - 1
        found.append(where)
    return found


def max_subarray(a):
    best = current = a[0]
    start = s = end = 0
    for i in range(1, len(a)):
        if current + a[i] < a[i]:
            current = a[i]
            s = i
        else:
            current = current + a[i]
        if current > best:
            best = current
            start, end = s, i
    return best, start, end


def coin_change(coins, amount):
    ways = [0] * (amount + 1)
    ways[0] = 1
    for coin in coins:
        for x in range(coin, amount + 1):
            ways[x] += ways[x - coin]
    return ways[amount]


def word_counts(text):
    counts = {}
    for word in text.lower().split():
        word = word.strip(".,;!?")
        if word == "":
            continue
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    return sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:5]


def caesar(text, shift):
    out = ""
    for ch in text:
        if ch.isalpha():
            base = ord("A") if ch.isupper() else ord("a")
            out += chr((ord(ch) - base + shift) % 26 + base)
        else:
            out += ch
    return out


def sudoku(grid):
    def ok(r, c, v):
        for k in range(9):
            if grid[r, k] == v or grid[k, c] == v:
                return False
        br, bc = 3 * (r // 3), 3 * (c // 3)
        return v not in grid[br : br + 3, bc : bc + 3]

    for r in range(9):
        for c in range(9):
            if grid[r, c] == 0:
                for v in range(1, 10):
                    if ok(r, c, v):
                        grid[r, c] = v
                        if sudoku(grid):
                            return True
                        grid[r, c] = 0
                return False
    return True


def hanoi(n, pegs):
    moves = []

    def move(k, a, b, c):
        if k == 0:
            return
        move(k - 1, a, c, b)
        pegs[b].append(pegs[a].pop())
        moves.append((a, b))
        move(k - 1, c, b, a)

    move(n, 0, 2, 1)
    return len(moves), pegs


def pagerank(links, damping, tol):
    n = len(links)
    rank = np.ones(n) / n
    for it in range(1000):
        new = np.full(n, (1 - damping) / n)
        for i, outs in enumerate(links):
            if len(outs) == 0:
                new += damping * rank[i] / n
            else:
                for j in outs:
                    new[j] += damping * rank[i] / len(outs)
        if np.abs(new - rank).sum() < tol:
            return new, it
        rank = new
    return rank, 1000


def permutations_sum(items):
    best = None
    a = list(items)
    n = len(a)
    c = [0] * n
    i = 0
    while i < n:
        if c[i] < i:
            if i % 2 == 0:
                a[0], a[i] = a[i], a[0]
            else:
                a[c[i]], a[i] = a[i], a[c[i]]
            cost = 0
            for k in range(n - 1):
                cost += abs(a[k] - a[k + 1])
            if best is None or cost < best:
                best = cost
            c[i] += 1
            i = 0
        else:
            c[i] = 0
            i += 1
    return best


def _weights(n, seed=3):
    w = random(seed).integers(0, 20, (n, n)).astype(float)
    return np.where(w < 12, 1e9, w)


def _graph(n):
    rng = random(4)
    return {
        f"n{i}": {f"n{int(j)}": int(w) for j, w in zip(rng.integers(0, n, 8), rng.integers(1, 50, 8))}
        for i in range(n)
    }


def _sudoku():
    text = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
    return np.array([int(ch) for ch in text]).reshape(9, 9)


def _filled():
    g = _sudoku()
    sudoku(g)
    g[:4] = np.where(_sudoku()[:4] > 0, g[:4], 0)
    return g


TEXT = "It was the best of times, it was the worst of times; it was the age of wisdom! "

CASES = [
    Case(bubble_sort, lambda: (random(1).random(200),), lambda: (np.array([3.0, 1.0, 2.0]),)),
    Case(insertion_sort, lambda: (random(2).integers(0, 1000, 500).tolist(),), lambda: ([3, 1, 2],)),
    Case(quicksort, lambda: (random(3).integers(0, 100000, 4000).tolist(),), lambda: ([3, 1, 2],)),
    Case(
        quicksort_in_place,
        lambda: (random(4).random(2000), 0, 1999),
        lambda: (np.array([3.0, 1.0, 2.0]), 0, 2),
    ),
    Case(merge_sort, lambda: (random(5).random(2000),), lambda: (np.array([3.0, 1.0, 2.0]),)),
    Case(heap_sort, lambda: (random(6).random(1500),), lambda: (np.array([3.0, 1.0, 2.0]),)),
    Case(counting_sort, lambda: (random(7).integers(0, 50, 50000).tolist(), 50), lambda: ([2, 0, 1], 3)),
    Case(sieve, lambda: (500000,), lambda: (10,)),
    Case(sieve_loops, lambda: (60000,), lambda: (10,)),
    Case(
        edit_distance,
        lambda: ("kitten sitting on a mat" * 4, "sitting kitten at a mall" * 4),
        lambda: ("ab", "acb"),
    ),
    Case(
        knapsack,
        lambda: (random(8).integers(1, 50, 60), random(9).integers(1, 100, 60), 500),
        lambda: (np.array([1, 2]), np.array([3, 4]), 3),
    ),
    Case(
        knapsack_lists,
        lambda: (random(8).integers(1, 50, 50).tolist(), random(9).integers(1, 100, 50).tolist(), 500),
        lambda: ([1, 2], [3, 4], 3),
    ),
    Case(
        lcs,
        lambda: (random(10).integers(0, 4, 150), random(11).integers(0, 4, 150)),
        lambda: (np.array([1, 2, 3]), np.array([2, 3])),
    ),
    Case(
        smith_waterman,
        lambda: (random(12).integers(0, 4, 120), random(13).integers(0, 4, 120), 3.0, -1.0, -2.0),
        lambda: (np.array([1, 2]), np.array([2, 1]), 3.0, -1.0, -2.0),
    ),
    Case(longest_increasing, lambda: (random(14).integers(0, 10000, 500).tolist(),), lambda: ([3, 1, 2],)),
    Case(n_queens, lambda: (8,), lambda: (4,)),
    Case(n_queens_array, lambda: (7,), lambda: (4,)),
    Case(
        union_find, lambda: (3000, random(15).integers(0, 3000, (4000, 2))), lambda: (3, np.array([[0, 1]]))
    ),
    Case(
        bfs_grid,
        lambda: ((random(16).random((50, 50)) < 0.3).astype(int), (0, 0)),
        lambda: (np.zeros((2, 2), int), (0, 0)),
    ),
    Case(dijkstra, lambda: (_graph(800), "n0"), lambda: ({"a": {"b": 1}, "b": {}}, "a")),
    Case(
        dijkstra_matrix,
        lambda: (np.where(_weights(120) > 1e6, 0, _weights(120)), 0),
        lambda: (np.array([[0.0, 2.0], [1.0, 0.0]]), 0),
    ),
    Case(floyd_warshall, lambda: (_weights(40),), lambda: (_weights(2),)),
    Case(floyd_warshall_numpy, lambda: (_weights(120),), lambda: (_weights(2),)),
    Case(game_of_life, lambda: (random(17).integers(0, 2, (80, 80)), 30), lambda: (np.eye(3, dtype=int), 1)),
    Case(life_loops, lambda: (random(18).integers(0, 2, (25, 25)), 6), lambda: (np.eye(3, dtype=int), 1)),
    Case(collatz_longest, lambda: (3000,), lambda: (5,)),
    Case(collatz_cache, lambda: (10000,), lambda: (5,)),
    Case(fibonacci, lambda: (22,), lambda: (3,)),
    Case(count_coprime, lambda: (250,), lambda: (4,)),
    Case(
        binary_search_all,
        lambda: (list(range(0, 20000, 2)), random(19).integers(0, 20000, 5000).tolist()),
        lambda: ([1, 3, 5], [3, 4]),
    ),
    Case(max_subarray, lambda: (random(20).normal(size=40000),), lambda: (np.array([-1.0, 2.0, 3.0, -5.0]),)),
    Case(coin_change, lambda: ([1, 2, 5, 10, 20, 50, 100, 200], 10000), lambda: ([1, 2], 4)),
    Case(word_counts, lambda: (TEXT * 500,), lambda: (TEXT,)),
    Case(caesar, lambda: (TEXT * 200, 3), lambda: ("Ab z", 1)),
    Case(sudoku, lambda: (_filled(),), lambda: (_filled(),)),
    Case(hanoi, lambda: (12, [list(range(12, 0, -1)), [], []]), lambda: (2, [[2, 1], [], []])),
    Case(
        pagerank,
        lambda: ([random(k).integers(0, 200, 5).tolist() for k in range(200)], 0.85, 1e-8),
        lambda: ([[1], []], 0.85, 1e-2),
    ),
    Case(permutations_sum, lambda: ([5, 3, 9, 1, 7, 2, 8],), lambda: ([3, 1, 2],)),
]
