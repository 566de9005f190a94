"""Install the system packages the tests need, or say in one message which are missing.

Usage: python tests/system_packages.py. Standard library only. It installs when it runs
as root and apt is there; otherwise it ends with the command to run.
"""

import os
import shutil
import subprocess
import sys

# package: the program it brings, and what the tests use it for
PACKAGES = {
    "chromium": ("chromium", "the pages are driven in it"),
    "bubblewrap": ("bwrap", "submissions are graded in it"),
}


def main() -> None:
    """Make sure that every program is there."""
    missing = [package for package, (program, _) in PACKAGES.items() if not shutil.which(program)]
    if not missing:
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"Installing {', '.join(missing)} ...", flush=True)
        run("apt-get", "update", "-qq")
        run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing)
        return
    uses = "\n".join(f"  {package}: {PACKAGES[package][1]}" for package in missing)
    sys.exit(
        f"The tests need these system packages:\n{uses}\n"
        f"On Debian and Ubuntu: sudo apt-get install {' '.join(missing)}"
    )


def run(*command: str) -> None:
    """Run one command of apt without questions; end where it fails."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    if subprocess.run(command, env=environment, check=False).returncode:
        sys.exit(f"This failed: {' '.join(command)}")


if __name__ == "__main__":
    main()
