"""Reports of the command line, read back and held against what their formats allow."""

from __future__ import annotations

import contextlib
import io
import json
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from jsonschema import Draft202012Validator

from fairlead.cli.main import run


def reported(folder: Path, *arguments: str) -> tuple[int, ElementTree.Element, dict[str, Any]]:
    """The status of a check, and both its reports, which are well-formed."""
    junit, sarif = folder / "report.xml", folder / "report.sarif"
    quiet = io.StringIO()
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        status = run(["check", *arguments, "--junit", str(junit), "--sarif", str(sarif)])
    suites = ElementTree.fromstring(junit.read_text(encoding="utf-8"))
    require_junit(suites)
    log = json.loads(sarif.read_text(encoding="utf-8"))
    require_sarif(log)
    require_agreement(status, suites, log)
    junit.unlink()
    sarif.unlink()
    return status, suites, log


# ---------------------------------------------------------------- JUnit

#: what an element may have, in the schemas of Jenkins and of Surefire alike: attributes (with a star
#: those that must be there) and the elements in it
JUNIT = {
    "testsuites": ("", {"testsuite"}),
    "testsuite": ("name* tests* failures* errors* skipped time", {"properties", "testcase"}),
    "properties": ("", {"property"}),
    "property": ("name* value*", set()),
    "testcase": ("name* classname* time", {"failure", "error", "skipped", "system-out"}),
    "failure": ("message type*", set()),
    "error": ("message type*", set()),
    "skipped": ("message", set()),
    "system-out": ("", set()),
}


def require_junit(suites: ElementTree.Element) -> None:
    assert suites.tag == "testsuites"
    for element in suites.iter():
        attributes, children = JUNIT[element.tag]
        known = attributes.replace("*", "").split()
        assert set(element.keys()) <= set(known), (element.tag, element.keys())
        assert {name[:-1] for name in attributes.split() if name.endswith("*")} <= set(element.keys())
        assert {child.tag for child in element} <= children
        assert float(element.get("time", "0")) >= 0
    for suite in suites:
        cases = suite.findall("testcase")
        named = ["testcase"] * len(cases)
        assert [child.tag for child in suite] in (named, ["properties", *named])
        assert int(suite.attrib["tests"]) == len(cases) > 0
        for counted, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[counted]) == sum(case.find(tag) is not None for case in cases)
        assert all(len(case) <= 1 for case in cases)


# ---------------------------------------------------------------- SARIF


@cache
def sarif_validator() -> Draft202012Validator:
    schema = json.loads(Path(__file__).with_name("sarif_part.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def require_sarif(log: dict[str, Any]) -> None:
    for error in sarif_validator().iter_errors(log):
        raise AssertionError(f"{list(error.absolute_path)}: {error.message[:500]}")
    for found in log["runs"]:
        rules = found["tool"]["driver"]["rules"]
        assert len({rule["id"] for rule in rules}) == len(rules)
        for result in found["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            for location in locations_of(result):
                region = location["physicalLocation"]["region"]
                if "endLine" in region:
                    start = (region["startLine"], region["startColumn"])
                    assert start < (region["endLine"], region["endColumn"])


def locations_of(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Every location in a result."""
    flows = [flow for code in result.get("codeFlows", []) for flow in code["threadFlows"]]
    steps = [step["location"] for flow in flows for step in flow["locations"]]
    return [*result["locations"], *result.get("relatedLocations", []), *steps]


def require_agreement(status: int, suites: ElementTree.Element, log: dict[str, Any]) -> None:
    """Both reports say the same as the exit status."""
    (suite,) = suites
    (found,) = log["runs"]
    failures, errors = int(suite.attrib["failures"]), int(suite.attrib["errors"])
    verdicts = [result.get("properties", {}).get("verdict") for result in found["results"]]
    assert verdicts.count("violated") == failures
    assert found["invocations"][0]["executionSuccessful"] or errors
    assert (status == 0) == (failures == errors == 0)
    assert status != 1 or failures
    assert status not in (2, 3) or errors
