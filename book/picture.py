"""Take the picture of the book that README shows: book/picture.png.

Usage: python book/picture.py, after the book is built.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

import browse

PICTURE = Path(__file__).with_name("picture.png")
WIDTH, HEIGHT = 1280, 760
# As many as so flat a page needs.
COLOURS = 96


def main() -> None:
    """Take the picture of the landing page's first screen, and make it small."""
    with browse.served(browse.HTML) as site, browse.browser() as browser:
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce"
        )
        page.goto(site, wait_until="networkidle")
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURE, optimize=True)
    print(f"{PICTURE.name}: {PICTURE.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
