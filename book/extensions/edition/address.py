"""Where the student edition lives: everything that follows from ``owner/name``."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

VARIABLE = "STUDENT_REPOSITORY"
# The branch that holds the one commit, and the one that holds the book's pages.
BRANCH = "main"
PAGES_BRANCH = "gh-pages"


@dataclass(frozen=True)
class Repository:
    """A public repository on GitHub, which also hosts the book."""

    owner: str
    name: str

    @property
    def url(self) -> str:
        """The address that git clones and browsers open."""
        return f"https://github.com/{self.owner}/{self.name}"

    @property
    def push_url(self) -> str:
        """The address that a deploy key may push to."""
        return f"git@github.com:{self.owner}/{self.name}.git"

    @property
    def book(self) -> str:
        """The address of the book's pages; it ends in a slash."""
        return f"https://{self.owner.lower()}.github.io/{self.name}/"

    @property
    def requirement(self) -> str:
        """What pip installs the course from, with all that the notebooks use."""
        return f"attention-derived[lessons] @ git+{self.url}"

    def colab(self, path: str) -> str:
        """The address that opens one of the edition's notebooks in Colab."""
        slug = f"{self.owner}/{self.name}"
        return f"https://colab.research.google.com/github/{slug}/blob/{BRANCH}/{path}"


def parse(text: str) -> Repository:
    """Return the repository that ``owner/name`` means.

    Raises:
        ValueError: the text is not of that form.
    """
    match = re.fullmatch(r"([A-Za-z0-9-]+)/([\w.-]+)", text)
    if not match:
        raise ValueError(
            f"{VARIABLE} is {text!r}; wanted owner/name, the public repository on GitHub "
            "that is to hold the student edition"
        )
    return Repository(*match.groups())


def from_environment() -> Repository | None:
    """Return the repository that the variable names, None where it is not set.

    Raises:
        ValueError: the variable is set to something else.
    """
    text = os.environ.get(VARIABLE, "")
    return parse(text) if text else None
