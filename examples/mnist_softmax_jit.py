"""Softmax regression on handwritten digits in an explicit graph, with or without JIT: what does JIT change?

    python examples/mnist_softmax_jit.py --no-jit
    python examples/mnist_softmax_jit.py --jit

Each writes its last training step as a timeline (open it in https://ui.perfetto.dev) and the graph of that
step as a picture, to `--out`. Without JIT the timeline has a bar for each operation, with JIT one called
`_JitLaunch`.

Data are scikit-learn's digits, or MNIST's own files (``train-images-idx3-ubyte`` and so on, also as ``.gz``)
from the folder `--data`.
"""

from __future__ import annotations

import argparse
import gzip
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import jitscope as js

OUT = Path(__file__).resolve().parent / "out"


@dataclass
class Digits:
    """Pictures as rows of numbers from 0 to 1, and which digit each one shows."""

    train_images: np.ndarray
    train_digits: np.ndarray
    test_images: np.ndarray
    test_digits: np.ndarray

    def batches(self, size: int, count: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """`count` batches of `size` pictures with their digits as rows of a unit matrix, shuffled."""
        rng = np.random.default_rng(7)
        one_hot = np.eye(10, dtype=self.train_images.dtype)
        for _ in range(count):
            chosen = rng.integers(0, len(self.train_images), size)
            yield self.train_images[chosen], one_hot[self.train_digits[chosen]]


def scikit_learn_digits(dtype: Any = np.float64) -> Digits:
    """1,797 digits of 8 x 8 pixels; a third of them for the test."""
    from sklearn.datasets import load_digits

    images, digits = load_digits(return_X_y=True)
    images = (images / 16.0).astype(dtype)
    test = np.arange(len(images)) % 3 == 0
    return Digits(images[~test], digits[~test], images[test], digits[test])


def mnist(folder: Path, dtype: Any = np.float64) -> Digits:
    """MNIST from its four files."""
    found = [read_idx(folder, f"{part}-{what}") for part in ("train", "t10k") for what in _FILES]
    images = [(a.reshape(len(a), -1) / 255.0).astype(dtype) for a in found[::2]]
    for pictures, digits in zip(images, found[1::2], strict=True):
        if len(pictures) != len(digits):
            raise SystemExit(f"{folder}: {len(pictures)} pictures, but {len(digits)} labels")
    return Digits(images[0], found[1], images[1], found[3])


_FILES = ("images-idx3-ubyte", "labels-idx1-ubyte")


def read_idx(folder: Path, name: str) -> np.ndarray:
    """An array of bytes in MNIST's format: two zeros, the dtype, the number of axes, the sizes, the bytes."""
    path = next((p for p in (folder / name, folder / f"{name}.gz") if p.exists()), None)
    if path is None:
        raise SystemExit(f"{folder}: there is neither {name} nor {name}.gz")
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if data[:3] != b"\0\0\x08" or len(data) < 4 + 4 * data[3]:
        raise SystemExit(f"{path} is no IDX file of bytes")
    ndim = data[3]
    shape = struct.unpack(f">{ndim}I", data[4 : 4 + 4 * ndim])
    if len(data) != 4 + 4 * ndim + math.prod(shape):
        raise SystemExit(f"{path} should have {math.prod(shape)} bytes behind its head for shape {shape}")
    return np.frombuffer(data, np.uint8, offset=4 + 4 * ndim).reshape(shape)


@dataclass
class Model:
    """The symbols of the graph that are fed, fetched and run."""

    graph: Any
    x: Any
    wanted: Any
    logits: Any
    loss: Any
    train_step: Any
    accuracy: Any


def build(pixels: int, dtype: Any = np.float64, rate: float = 0.5) -> Model:
    """The graph of softmax regression: ``softmax(x @ w + b)``, trained by gradient descent."""
    graph = js.Graph()
    with graph.as_default():
        x = js.placeholder(dtype, [None, pixels], name="x")
        wanted = js.placeholder(dtype, [None, 10], name="wanted")
        w = js.Variable(np.zeros((pixels, 10), dtype), name="w")
        b = js.Variable(np.zeros(10, dtype), name="b")
        logits = js.matmul(x, w) + b
        rows = js.nn.softmax_cross_entropy_with_logits(labels=wanted, logits=logits)
        loss = js.reduce_mean(rows, name="loss")
        train_step = js.train.GradientDescentOptimizer(rate).minimize(loss)
        right = js.equal(js.argmax(logits, 1), js.argmax(wanted, 1))
        accuracy = js.reduce_mean(js.cast(right, dtype), name="accuracy")
    return Model(graph, x, wanted, logits, loss, train_step, accuracy)


def session(model: Model, jit: bool) -> Any:
    """A session with initial values, that compiles all it can or nothing."""
    config = js.ConfigProto()
    level = js.OptimizerOptions.ON_1 if jit else js.OptimizerOptions.OFF
    config.graph_options.optimizer_options.global_jit_level = level
    made = js.Session(graph=model.graph, config=config)
    with model.graph.as_default():
        made.run(js.global_variables_initializer())
    return made


def train(
    model: Model, running: Any, digits: Digits, steps: int, timeline: Path | None = None
) -> list[float]:
    """Train, tracing the last step into the file `timeline`; the loss of each step."""
    losses = []
    for number, (images, wanted) in enumerate(digits.batches(100, steps)):
        feeds = {model.x: images, model.wanted: wanted}
        if timeline is None or number < steps - 1:
            losses.append(running.run([model.loss, model.train_step], feeds)[0])
        else:
            with js.trace(timeline):
                losses.append(running.run([model.loss, model.train_step], feeds)[0])
    return [float(loss) for loss in losses]


def main(arguments: list[str] | None = None) -> list[float]:
    parser = argparse.ArgumentParser(description="Softmax regression with and without JIT.")
    parser.add_argument("--jit", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument(
        "--data", type=Path, help="a folder with MNIST's files; default: scikit-learn's digits"
    )
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args(arguments)
    if asked.steps < 1:
        parser.error("--steps: at least one")
    asked.out.mkdir(parents=True, exist_ok=True)
    digits = mnist(asked.data) if asked.data else scikit_learn_digits()
    model = build(digits.train_images.shape[1])
    with session(model, asked.jit) as running:
        timeline = asked.out / "timeline.ctf.json"
        losses = train(model, running, digits, asked.steps, timeline)
        tested = {model.x: digits.test_images, model.wanted: np.eye(10)[digits.test_digits]}
        print(f"Softmax regression, {'with' if asked.jit else 'without'} JIT, {asked.steps} steps")
        print(f"  accuracy  {running.run(model.accuracy, tested):.4f}")
        print(f"  loss      {losses[0]:.4f} at first, {losses[-1]:.4f} in the end")
        print(f"  timeline  {timeline}")
        picture = js.draw(running, asked.out / "training_step.svg", [model.loss, model.train_step])
        print(f"  picture   {picture}")
    return losses


if __name__ == "__main__":
    main()
