"""The documents say what the tree says."""

import json
import re

import pytest

from engine.outcome import Termination
from engine.protocol import LINE_CAP_BYTES
from tests.tree import ROOT, ours, text

DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", *ours(".md")]
VARIABLE = re.compile(r"\b(DRAPEAU_[A-Z_]+|DATABASE_URL)\b")


def variables_read() -> set[str]:
    product = [n for n in ours(".py") if n.startswith(("arena/", "sandbox/"))]
    quoted = re.compile(r"\"(DRAPEAU_[A-Z_]+|DATABASE_URL)\"")
    return {name for file in product for name in quoted.findall(text(file))}


def test_every_setting_is_documented_and_every_documented_setting_exists():
    documented = set(re.findall(r"^\| `(\w+)`", text("docs/settings.md"), re.MULTILINE))

    assert documented == variables_read()


def test_every_setting_of_the_compose_file_is_documented():
    named = set(VARIABLE.findall(text("compose.yaml")))
    documented = set(VARIABLE.findall(text("docs/operations.md") + text("docs/settings.md")))

    assert named - documented == set()


def test_the_compose_file_passes_on_every_setting_that_an_operator_may_make():
    of_the_image = {"DRAPEAU_DATA_DIR", "DRAPEAU_STATIC_ROOT", "DRAPEAU_STATIC_COLLECTED"}
    not_in_production = {"DRAPEAU_DEBUG", "DRAPEAU_LOG_FORMAT", "DRAPEAU_TRUST_BOTS"}

    passed = set(VARIABLE.findall(text("compose.yaml")))

    assert variables_read() - passed == of_the_image | not_in_production


def test_every_termination_is_in_the_protocol_page():
    page = text("docs/protocol.md")

    assert [t.value for t in Termination if f"`{t.value}`" not in page] == []
    assert f"{LINE_CAP_BYTES} bytes" in page


def test_the_examples_of_the_protocol_page_are_json_lines():
    blocks = re.findall(r"```json\n(.*?)```", text("docs/protocol.md"), re.DOTALL)

    assert [len(block.strip().splitlines()) for block in blocks] == [1] * 5
    assert [json.loads(block).get("type", "answer") for block in blocks] == [
        "start",
        "ready",
        "act",
        "answer",
        "end",
    ]


@pytest.mark.parametrize("name", sorted(set(DOCUMENTS)))
def test_links_of_documents_lead_somewhere(name):
    page = (ROOT / name).parent
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text(name))
    inside = [
        link for link in links if not link.startswith(("http:", "https:", "mailto:", "diagram:"))
    ]

    assert [link for link in inside if not (page / link).exists()] == []


def test_every_make_target_of_the_documents_exists():
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))
    named = {
        target
        for document in ("README.md", "CONTRIBUTING.md", "docs/operations.md")
        for target in re.findall(r"(?:^|`)make ([a-z-]+)", text(document), re.MULTILINE)
    }

    assert named <= targets, named - targets
