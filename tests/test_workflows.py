"""What runs on GitHub is what runs here, and only publishing sees a secret."""

import re

import pytest
import yaml
from tests.notebooks import ROOT

FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
every_workflow = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def jobs(path):
    return yaml.safe_load(path.read_text())["jobs"]


def commands(path, job):
    return [step["run"] for step in jobs(path)[job]["steps"] if "run" in step]


def test_there_are_the_three_workflows():
    assert [path.stem for path in FILES] == ["publish", "test", "weekly"]


@every_workflow
def test_each_step_is_a_make_target(path):
    for job in jobs(path):
        if job == "report":
            continue  # opens an issue, which only GitHub has
        ran = commands(path, job)
        assert ran
        for command in ran:
            make, target = command.split()
            assert make == "make" and target in TARGETS, command


def test_a_failure_of_the_weekly_run_opens_an_issue():
    report = jobs(ROOT / ".github" / "workflows" / "weekly.yml")["report"]
    others = set(jobs(ROOT / ".github" / "workflows" / "weekly.yml")) - {"report"}
    assert report["if"] == "failure()" and set(report["needs"]) == others
    assert report["permissions"] == {"issues": "write"}
    assert report["steps"][0]["run"].startswith("gh issue create ")


@every_workflow
def test_a_workflow_may_read_and_no_more_and_ends(path):
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert job.get("timeout-minutes") or name == "report", name


def test_only_publishing_sees_a_secret_and_what_it_publishes_has_passed():
    with_secrets = [path.stem for path in FILES if "secrets." in path.read_text()]
    assert with_secrets == ["publish"]
    condition = jobs(ROOT / ".github" / "workflows" / "publish.yml")["publish"]["if"]
    assert "github.event.workflow_run.conclusion == 'success'" in condition
    assert "github.event.workflow_run.event == 'push'" in condition
