"""What tests look for on any page."""

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).with_name("vendor") / "axe.min.js"


def violations(page: Page) -> list[str]:
    """Return what axe-core finds wrong with a page, each with the element's markup."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run().then(result => result.violations)")
    return [f"{rule['id']}: {node['html']}" for rule in found for node in rule["nodes"]]
