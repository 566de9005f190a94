"""What a verdict depends on, as a key: the same key, the same verdict."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import platform
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_LIBRARIES = ("numpy", "torch", "scipy", "ipython", "matplotlib", "einops")
# Names the file from which hidden tests draw their inputs.
SECRET = "COURSE_SECRET_FILE"


def key(*parts: bytes | str) -> str:
    """Return a hexadecimal digest of parts, whatever they hold."""
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()


@cache
def environment(packages: tuple[str, ...]) -> str:
    """Return a digest of all that judges: interpreter, libraries, packages and secret."""
    parts: list[bytes | str] = [platform.python_version(), platform.machine()]
    for library in _LIBRARIES:
        try:
            parts.append(f"{library} {importlib.metadata.version(library)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    for path in _sources(("autograder", *packages)):
        parts += [path.name, path.read_bytes()]
    # Only its digest: the key lies beside the results.
    secret = os.environ.get(SECRET)
    parts.append(hashlib.blake2b(Path(secret).read_bytes()).digest() if secret else "none")
    return key(*parts)


def _sources(packages: Iterable[str]) -> Iterable[Path]:
    for package in packages:
        found = importlib.util.find_spec(package)
        for folder in (found and found.submodule_search_locations) or ():
            yield from sorted(Path(folder).rglob("*.py"))
