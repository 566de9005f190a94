"""The command line of the student edition; see ``python -m edition --help``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import address, publishing, source, writing


def main() -> None:
    """Write the edition or publish it; say what was done, or what is missing."""
    options = _options()
    try:
        repository = address.from_environment()
        if repository is None:
            raise ValueError(
                f"{address.VARIABLE} is not set: setup cells and links need the address of the "
                f"public repository. Say {address.VARIABLE}=owner/name"
            )
        if options.action == "write":
            count = writing.write(options.folder, repository)
            done = f"The student edition for {repository.url}, {count} files: {options.folder}"
        else:
            remote = options.remote or repository.push_url
            publishing.publish(repository, remote)
            done = f"Pushed the student edition and the book to {remote}: {repository.book}"
    except ValueError as error:
        sys.exit(f"No student edition: {error}")
    if source.origin().commit.endswith("-dirty"):
        done += "\nIt holds changes that are not committed."
    print(done)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="edition", description=main.__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    write = actions.add_parser("write", help="write it into a folder")
    write.add_argument("folder", type=Path, help="a new or empty folder, or an older edition")
    publish = actions.add_parser("publish", help="push it, and the book's pages, to the public")
    publish.add_argument("--remote", help="push there; the repository on GitHub without it")
    return parser.parse_args()


if __name__ == "__main__":
    main()
