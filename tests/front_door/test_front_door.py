"""The files that a visitor of the repository meets first are complete, well formed, and agree."""

from __future__ import annotations

import re
import tomllib
from configparser import ConfigParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

import fairlead

REPOSITORY = Path(__file__).parents[2]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
AUTHORS = "the fairlead authors"

_VERSION = re.compile(r"^## (\d+)\.(\d+)\.(\d+) - (\d{4}-\d\d-\d\d)(?: \(not released yet\))?$")
_STATUS = re.compile(r"^Status: (?:proposed|accepted|superseded by \S+), \d{4}-\d\d-\d\d$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def text(name: str) -> str:
    return (REPOSITORY / name).read_text(encoding="utf-8")


def parsed(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(text(name))
    return found


def metadata() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads(text("pyproject.toml"))
    return found


# ---------------------------------------------------------------- licence and metadata


def test_the_licence_is_mit_and_names_the_authors() -> None:
    lines = text("LICENSE").splitlines()
    assert lines[0] == "MIT License"
    assert re.fullmatch(rf"Copyright \(c\) \d{{4}} {AUTHORS}", lines[2])
    whole = " ".join(lines)
    assert "Permission is hereby granted, free of charge" in whole
    assert 'THE SOFTWARE IS PROVIDED "AS IS"' in whole


def test_package_metadata() -> None:
    project = metadata()["project"]
    assert project["license"] == "MIT"
    assert project["license-files"] == ["LICENSE"]
    assert project["authors"] == [{"name": AUTHORS}]
    assert {"fairness", "model checking"} <= set(project["keywords"])
    assert project["requires-python"] == f">={PYTHONS[0]}"
    for kind in ("Operating System", "Typing", "Topic", "Development Status"):
        assert any(name.startswith(f"{kind} :: ") for name in project["classifiers"]), kind


def test_classifiers_name_each_supported_python() -> None:
    prefix = "Programming Language :: Python :: "
    names = (name.removeprefix(prefix) for name in metadata()["project"]["classifiers"])
    assert [name for name in names if re.fullmatch(r"3\.\d+", name)] == PYTHONS


def test_the_version_has_one_source() -> None:
    found = metadata()
    assert "version" not in found["project"]
    assert found["project"]["dynamic"] == ["version"]
    source = text(found["tool"]["scikit-build"]["metadata"]["version"]["input"])
    assert re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE) == [fairlead.__version__]


def test_make_and_pyproject_build_with_the_same() -> None:
    """`make` installs what the build requires before the build, without isolation."""
    for requirement in metadata()["build-system"]["requires"]:
        assert f'"{requirement}"' in text("Makefile")


# ---------------------------------------------------------------- citation and changelog


def test_the_citation() -> None:
    citation = parsed("CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert citation.keys() >= {"message", "title", "authors"}
    assert citation["version"] == fairlead.__version__
    assert citation["license"] == metadata()["project"]["license"]
    assert citation["authors"] == [{"name": AUTHORS}]


def test_the_citation_names_the_papers() -> None:
    papers = parsed("CITATION.cff")["references"]
    found = {(paper["authors"][0]["family-names"], paper["year"], len(paper["authors"])) for paper in papers}
    assert found == {
        ("Emerson", 1984, 2),
        ("Giannakopoulou", 1999, 3),
        ("Si", 2014, 7),
        ("Sun", 2009, 4),
        ("Sun", 2009, 5),
    }
    assert all(paper.keys() >= {"type", "title"} for paper in papers)


def test_the_changelog_begins_with_this_version_and_goes_back() -> None:
    headings = [line for line in text("CHANGELOG.md").splitlines() if line.startswith("## ")]
    found = [_VERSION.match(heading) for heading in headings]
    versions = [(int(match[1]), int(match[2]), int(match[3])) for match in found if match]
    dates = [match[4] for match in found if match]
    assert len(versions) == len(headings) > 1, headings
    assert ".".join(map(str, versions[0])) == fairlead.__version__
    assert all(newer > older for newer, older in pairwise(versions))
    assert all(newer >= older for newer, older in pairwise(dates))


# ---------------------------------------------------------------- workflows and hooks


@pytest.mark.parametrize("name", ["ci.yml", "release.yml"])
def test_workflows_are_well_formed(name: str) -> None:
    workflow = parsed(f".github/workflows/{name}")
    assert workflow[True]  # YAML 1.1 takes `on` for a truth value
    assert workflow["permissions"] == {"contents": "read"}
    for title, job in workflow["jobs"].items():
        assert job["runs-on"], title
        assert job["timeout-minutes"], title
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), step
    needed = {job for value in workflow["jobs"].values() for job in value.get("needs", [])}
    assert needed <= workflow["jobs"].keys()


def test_ci_covers_each_python_on_each_system() -> None:
    job = parsed(".github/workflows/ci.yml")["jobs"]["test"]
    matrix = job["strategy"]["matrix"]
    assert matrix["python"] == PYTHONS
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
    assert "'windows'" in job["continue-on-error"]


def test_wheels_are_built_for_each_python() -> None:
    settings = metadata()["tool"]["cibuildwheel"]
    assert settings["build"] == [f"cp{version.replace('.', '')}-*" for version in PYTHONS]
    commands = " && ".join(settings["test-command"])
    assert "fairlead --version" in commands
    (model,) = re.findall(r"{project}/([\w/.]+)", commands)
    assert (REPOSITORY / model).is_file()


def test_only_tags_publish() -> None:
    job = parsed(".github/workflows/release.yml")["jobs"]["publish"]
    assert job["if"] == "github.ref_type == 'tag'"
    assert job["permissions"] == {"id-token": "write"}
    assert set(job["needs"]) == {"wheels", "sdist"}


def test_hooks_download_nothing() -> None:
    (repository,) = parsed(".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    hooks = {hook["id"]: hook for hook in repository["hooks"]}
    assert hooks.keys() >= {"ruff-check", "ruff-format", "mypy", "clang-format", "end-of-file"}
    for name, hook in hooks.items():
        assert hook["language"] in {"system", "pygrep"}, name
        assert hook["language"] == "pygrep" or hook["entry"].startswith(".venv/bin/"), name


def test_hooks_check_what_make_lint_checks() -> None:
    (folders,) = re.findall(r"^\t\$\(BIN\)/ruff check (.+)$", text("Makefile"), re.MULTILINE)
    (repository,) = parsed(".pre-commit-config.yaml")["repos"]
    for hook in repository["hooks"]:
        if hook["id"].startswith("ruff"):
            assert hook["files"] == f"^({'|'.join(folders.split())})/"


def test_editors_agree_with_ruff() -> None:
    settings = ConfigParser()
    settings.read_string(f"[top]\n{text('.editorconfig')}")
    assert settings["top"]["root"] == "true"
    assert settings["*"]["end_of_line"] == "lf"
    assert settings["*.{py,pyi}"].getint("max_line_length") == metadata()["tool"]["ruff"]["line-length"]
    columns = re.search(r"^ColumnLimit: (\d+)$", text(".clang-format"), re.MULTILINE)
    assert columns
    assert settings["*.{cpp,hpp}"]["max_line_length"] == columns[1]


# ---------------------------------------------------------------- pages


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_links_lead_to_files_that_exist(page: str) -> None:
    targets = [target for target in _LINK.findall(_FENCE.sub("", text(page))) if "://" not in target]
    assert targets
    for target in targets:
        name, _, anchor = target.partition("#")
        path = REPOSITORY / (name or page)
        assert path.is_file(), f"{page} links to {target}"
        assert not anchor or anchor in anchors(path.read_text(encoding="utf-8")), f"{page} links to {target}"


def anchors(page: str) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", _FENCE.sub("", page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "LICENSE", "SECURITY.md", "CITATION.cff"])
def test_the_readme_shows_the_way(name: str) -> None:
    assert f"({name})" in text("README.md")


def test_security_names_the_current_version() -> None:
    major, minor, _ = fairlead.__version__.split(".")
    assert f"| {major}.{minor}.x | yes |" in text("SECURITY.md")


def test_decision_records_are_numbered() -> None:
    records = sorted((REPOSITORY / "docs" / "explanation" / "decisions").glob("*.md"))
    assert [int(record.name[:4]) for record in records] == list(range(1, len(records) + 1))
    for record in records:
        page = record.read_text(encoding="utf-8")
        assert page.startswith(f"# {record.name[:4]}: "), record.name
        assert re.search(
            r"^Status: (proposed|accepted|superseded by)\b.*, \d{4}-\d\d-\d\d$", page, re.MULTILINE
        )
        for heading in ("Context", "Decision", "Alternatives", "Consequences"):
            assert f"\n## {heading}\n" in page, f"{record.name} has no section {heading}"
