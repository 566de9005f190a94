"""What the book carries of other projects is what the manifest says."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENDOR = ROOT / "book" / "static" / "vendor"


def test_vendored_files_have_their_checksums():
    subprocess.run([sys.executable, "book/vendor.py", "--check"], cwd=ROOT, check=True)


def test_manifest_names_every_vendored_file_and_its_licence():
    packages = json.loads((VENDOR / "manifest.json").read_text())
    named = {ROOT / file["path"] for package in packages for file in package["files"]}
    there = {path for path in VENDOR.rglob("*") if path.is_file()} - {VENDOR / "manifest.json"}
    there |= set((ROOT / "tests" / "vendor").glob("*"))
    assert named == there
    assert all(package["version"] and package["licence"] for package in packages)
