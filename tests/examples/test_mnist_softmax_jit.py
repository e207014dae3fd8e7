"""The softmax tutorial: the same losses with and without JIT, and what its timelines show."""

from __future__ import annotations

import gzip
import importlib
import re
import struct
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from traces import check_document, names

import jitscope as js
from jitscope.graph.ops import OPS
from jitscope.graph.ops.define import ELEMENTWISE, PRODUCT

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES))
        return importlib.import_module("mnist_softmax_jit")


@pytest.fixture(scope="module")
def digits(example: ModuleType) -> Any:
    pytest.importorskip("sklearn")
    return example.scikit_learn_digits()


def traced_steps(example: ModuleType, digits: Any, jit: bool, steps: int) -> tuple[dict[str, Any], str]:
    """The timeline of some steps, and the graph that each of them ran."""
    model = example.build(64)
    fetches = [model.loss, model.train_step]
    ((images, wanted),) = digits.batches(100, 1)
    feeds = {model.x: images, model.wanted: wanted}
    with example.session(model, jit) as running:
        running.run(fetches, feeds)
        with js.trace(None) as trace:
            for _ in range(steps):
                running.run(fetches, feeds)
        graph = running.to_code(fetches, feeds, stage="graph")
    check_document(trace.document)
    return trace.document, graph


def test_losses_are_the_same_with_and_without_jit(example: ModuleType, digits: Any) -> None:
    losses, accuracies = [], []
    for jit in (False, True):
        model = example.build(64)
        with example.session(model, jit) as running:
            losses.append(example.train(model, running, digits, 500))
            tested = {model.x: digits.test_images, model.wanted: np.eye(10)[digits.test_digits]}
            accuracies.append(running.run(model.accuracy, tested))
    np.testing.assert_allclose(losses[0], losses[1], rtol=0, atol=1e-10)
    assert losses[0][-1] < 0.1 * losses[0][0]
    assert accuracies[0] == accuracies[1] > 0.94


def test_without_jit_every_product_and_elementwise_operation_has_a_bar(
    example: ModuleType, digits: Any
) -> None:
    document, graph = traced_steps(example, digits, jit=False, steps=3)
    assert "_JitLaunch" not in names(document)
    arrays = re.findall(r": \w+\[.*\] = (\w+)\(", graph)
    wanted = Counter(op for op in arrays if op in OPS and OPS[op].kind in (ELEMENTWISE, PRODUCT))
    assert wanted["matmul"] == 2
    assert {"exp", "log", "multiply", "subtract"} <= set(wanted)
    shown = Counter(names(document))
    assert all(shown[op] >= 3 * count for op, count in wanted.items()), (wanted, shown)


def test_with_jit_each_step_is_one_launch(example: ModuleType, digits: Any) -> None:
    document, _ = traced_steps(example, digits, jit=True, steps=3)
    assert names(document) == ["_JitLaunch"] * 3


@pytest.mark.parametrize("jit", [False, True])
def test_the_script_writes_timeline_and_picture(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], jit: bool
) -> None:
    pytest.importorskip("sklearn")
    losses = example.main(["--jit" if jit else "--no-jit", "--steps=20", f"--out={tmp_path}"])
    assert len(losses) == 20
    assert sorted(path.name for path in tmp_path.iterdir()) == ["timeline.ctf.json", "training_step.svg"]
    assert ("cluster_0" in (tmp_path / "training_step.svg").read_text()) == jit
    assert "accuracy" in capsys.readouterr().out


def test_mnist_is_read_from_its_own_files(example: ModuleType, tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    wanted = {}
    for part, count in (("train", 12), ("t10k", 5)):
        for name, shape in (("images-idx3-ubyte", (count, 28, 28)), ("labels-idx1-ubyte", (count,))):
            array = rng.integers(0, 10, shape).astype(np.uint8)
            data = struct.pack(">HBB", 0, 8, array.ndim) + struct.pack(f">{array.ndim}I", *shape)
            wanted[part, len(shape)] = array
            if part == "train":
                (tmp_path / f"{part}-{name}").write_bytes(data + array.tobytes())
            else:
                (tmp_path / f"{part}-{name}.gz").write_bytes(gzip.compress(data + array.tobytes()))
    found = example.mnist(tmp_path)
    np.testing.assert_array_equal(found.train_images, wanted["train", 3].reshape(12, 784) / 255.0)
    np.testing.assert_array_equal(found.test_digits, wanted["t10k", 1])
    (tmp_path / "train-images-idx3-ubyte").write_bytes(b"\x00\x00\x0d\x01" + bytes(8))
    with pytest.raises(SystemExit, match="no IDX file"):
        example.mnist(tmp_path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, r"neither train-images-idx3-ubyte nor train-images-idx3-ubyte\.gz"),
        (b"", "no IDX file of bytes"),
        (b"\0\0\x0d\1\0\0\0\1\1\1\1\1", "no IDX file of bytes"),
        (b"\0\0\x08\3\0\0\0\1", "no IDX file of bytes"),
        (b"\0\0\x08\1\0\0\0\5abc", r"should have 5 bytes behind its head for shape \(5,\)"),
    ],
)
def test_files_that_are_not_mnists(example: ModuleType, tmp_path: Path, data: Any, message: str) -> None:
    if data is not None:
        (tmp_path / "train-images-idx3-ubyte").write_bytes(data)
    with pytest.raises(SystemExit, match=message):
        example.read_idx(tmp_path, "train-images-idx3-ubyte")


def test_pictures_and_labels_must_be_as_many(example: ModuleType, tmp_path: Path) -> None:
    for part in ("train", "t10k"):
        (tmp_path / f"{part}-images-idx3-ubyte").write_bytes(b"\0\0\x08\3" + b"\0\0\0\2" * 3 + bytes(8))
        (tmp_path / f"{part}-labels-idx1-ubyte").write_bytes(b"\0\0\x08\1\0\0\0\1\7")
    with pytest.raises(SystemExit, match="2 pictures, but 1 labels"):
        example.mnist(tmp_path)
    with pytest.raises(SystemExit):
        example.main(["--steps=0"])
