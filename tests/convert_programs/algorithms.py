"""Whole programs, a bit of everything in each."""

from .cases import case


@case((3,))
def everything(n):
    table = {}
    for i, row in enumerate([[1, 2], [3], []]):
        total = 0
        for v in row:
            if v == 3 and i:
                table[i] = "three"
                break
            total += v * n if v < 2 else -v
        else:
            table[i] = table.get(i, 0) + total
            if not row:
                return table, total, f"{i}: {total:>4}"
    return None


@case((10,), (1,), (7,))
def collatz(n):
    steps = 0
    while n != 1:
        n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
        if steps > 100:
            return None
    return steps


@case((30,))
def primes(n):
    sieve = [True] * n
    found = []
    for p in range(2, n):
        if not sieve[p]:
            continue
        found.append(p)
        for q in range(p * p, n, p):
            sieve[q] = False
    return found


@case(([5, 2, 9, 1],))
def insertion_sort(a):
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    return a


@case(([1, 3, 5, 7], 5), ([1, 3, 5, 7], 4))
def binary_search(a, x):
    low, high = 0, len(a)
    while low < high:
        mid = (low + high) // 2
        if a[mid] == x:
            return mid
        if a[mid] < x:
            low = mid + 1
        else:
            high = mid
    return -1


@case(("a(b[c])",), ("(]",), ("((",))
def brackets(text):
    stack = []
    for c in text:
        if c in "([":
            stack.append(c)
        elif c in ")]":
            if not stack or stack.pop() + c not in ("()", "[]"):
                return False
    return not stack


@case((3, 4))
def matrix(n, m):
    a = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            a[i][j] = i * m + j
            if i and j:
                a[i][j] += a[i - 1][j - 1]
    return a, i, j


@case((48, 18))
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
