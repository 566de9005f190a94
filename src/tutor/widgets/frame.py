"""What frames the picture of an interactive: its head, its live sentence, its numbers.

A text that the page changes stands in a *slot*. The sentence has one version for each
*case*, all of them in the page, and all but the one that holds hidden. live.mjs fills
the slots and shows the case.
"""

from __future__ import annotations

from collections.abc import Mapping


def frame(kind: str, *, label: str, title: str, hint: str, content: str, says: str) -> str:
    """Return a widget's HTML.

    Args:
        kind: its own class, to which its style sheet is scoped.
        label: what it is, for screen readers.
        title, hint: what to do, and a remark beside it.
        content: the HTML between head and sentence.
        says: the sentence, from :func:`cases`.
    """
    return f"""\
<div class="tutor-widget {kind}" role="group" aria-label="{label}" \
data-lm-suppress-shortcuts="true">
<div class="tw-head"><span>{title}</span><small>{hint}</small></div>
{content}
<p class="tw-says" data-part="says">{says}</p>
<p class="tw-unseen" data-part="announcement" aria-live="polite"></p>
</div>"""


def cases(sentences: Mapping[str, str], fitting: str) -> str:
    """Return the sentences by the name of their case, all but the fitting one hidden."""
    return "".join(
        f'<span data-case="{name}"{"" if name == fitting else " hidden"}>{sentence}</span>'
        for name, sentence in sentences.items()
    )


class Slots:
    """Texts that the page changes, by name: ``slots("spread")`` is the HTML of one."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Keep the present texts."""
        self._texts = texts

    def __call__(self, name: str, ink: str = "") -> str:
        """Return the slot's HTML, in the ink of the class where one is given."""
        chosen = f' class="{ink}"' if ink else ""
        return f'<b{chosen} data-slot="{name}">{self._texts[name]}</b>'


def facts(rows: Mapping[str, str]) -> str:
    """Return a list of numbers, each under its name."""
    items = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in rows.items())
    return f'<dl class="tw-facts">{items}</dl>'
