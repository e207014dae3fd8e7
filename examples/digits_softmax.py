"""Which digit is it? Softmax regression on scikit-learn's handwritten digits: train plain, infer fast."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw
from report import compare, save
from sklearn.datasets import load_digits

import jitscope as js


def predict(images: np.ndarray, weights: np.ndarray, bias: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The most likely digit of each row of `images` and the probabilities of all ten."""
    logits = images @ weights + bias
    shifted = logits - logits.max(axis=1, keepdims=True)
    likelihood = np.exp(shifted)
    probability = likelihood / likelihood.sum(axis=1, keepdims=True)
    return probability.argmax(axis=1), probability


fast = js.function(predict)


def train(images: np.ndarray, digits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights (64, 10) and bias (10,) by gradient descent on the cross entropy."""
    weights, bias = np.zeros((images.shape[1], 10)), np.zeros(10)
    wanted = np.eye(10)[digits]
    for _ in range(300):
        error = (predict(images, weights, bias)[1] - wanted) / len(images)
        weights -= 0.5 * (images.T @ error)
        bias -= 0.5 * error.sum(axis=0)
    return weights, bias


def shifted_copies(images: np.ndarray) -> np.ndarray:
    """Each 8 x 8 picture moved by up to a pixel in every direction, nine copies, one after another."""
    squares = images.reshape(-1, 8, 8)
    moves = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    return np.concatenate([np.roll(squares, move, axis=(1, 2)).reshape(-1, 64) for move in moves])


def montage(images: np.ndarray, guesses: np.ndarray, digits: np.ndarray, columns: int = 20) -> np.ndarray:
    """A sheet of digits, what was guessed in the corner: green where right, red where wrong."""
    tile = 40
    sheet = Image.new("RGB", (columns * tile, -(-len(images) // columns) * tile))
    draw = ImageDraw.Draw(sheet)
    for index, (image, guess, digit) in enumerate(zip(images, guesses, digits, strict=True)):
        corner = (index % columns * tile, index // columns * tile)
        small = Image.fromarray((image.reshape(8, 8) * 255).astype(np.uint8))
        sheet.paste(small.resize((tile - 2, tile - 2), Image.Resampling.NEAREST), corner)
        draw.text((corner[0] + 2, corner[1]), str(guess), fill="lime" if guess == digit else "red")
    return np.asarray(sheet)


def main() -> None:
    data, digits = load_digits(return_X_y=True)
    images = data / 16.0
    half = len(images) // 2
    weights, bias = train(images[:half], digits[:half])
    test, truth = images[half:], digits[half:]
    copies = shifted_copies(test)
    guesses, _ = compare(
        f"Softmax regression on {len(copies)} handwritten digits",
        predict,
        fast,
        (copies, weights, bias),
        atol=1e-15,  # np.exp and the generated exp may round the last bit differently
    )
    unmoved = guesses[4 * len(test) : 5 * len(test)]
    print(f"  right guesses    {100 * np.mean(unmoved == truth):.1f} % of {len(test)} digits not trained on")
    save("digits_softmax.png", montage(test[:200], unmoved[:200], truth[:200]))


if __name__ == "__main__":
    main()
