"""Refresh the files of other projects that the book carries, and verify them.

Usage: python book/vendor.py [--check | --accept]

Without an option, each package is fetched from the npm registry at the version that
the manifest names, its files are copied into place, and each must have the checksum
the manifest names. ``--check`` only verifies what is here; it needs neither npm nor a
network. ``--accept`` writes new checksums: for a version changed on purpose.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = ROOT / "book" / "static" / "vendor" / "manifest.json"


def main() -> None:
    """Do what the command line asks, and end with an error if a checksum is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="only verify what is here")
    choice.add_argument("--accept", action="store_true", help="write new checksums")
    options = parser.parse_args()
    packages = json.loads(MANIFEST.read_text())
    if not options.check:
        for package in packages:
            fetch(package)
    if options.accept:
        accept(packages)
    wrong = mismatches(packages)
    if wrong:
        sys.exit("Not what the manifest says:\n  " + "\n  ".join(wrong))
    count = sum(len(package["files"]) for package in packages)
    print(f"{count} files of {len(packages)} packages are what the manifest says.")


def fetch(package: dict) -> None:
    """Copy a package's files from the npm registry to where the manifest wants them."""
    name = f"{package['name']}@{package['version']}"
    print(f"Fetching {name} ...", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", "--pack-destination", folder, name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as members:
            for file in package["files"]:
                target = ROOT / file["path"]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(members.extractfile(f"package/{file['source']}").read())


def accept(packages: list[dict]) -> None:
    """Write the checksums of the files as they are now into the manifest."""
    for package in packages:
        for file in package["files"]:
            file["sha256"] = checksum(ROOT / file["path"])
    MANIFEST.write_text(json.dumps(packages, indent=1) + "\n")


def mismatches(packages: list[dict]) -> list[str]:
    """Return the paths that are missing or differ from the manifest."""
    files = [file for package in packages for file in package["files"]]
    return [file["path"] for file in files if checksum(ROOT / file["path"]) != file["sha256"]]


def checksum(path: Path) -> str | None:
    """Return the SHA-256 of a file, None if there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None


if __name__ == "__main__":
    main()
