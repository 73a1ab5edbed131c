"""The documents agree with the code, and each of their links leads somewhere."""

import re
from collections import Counter
from pathlib import Path, PurePosixPath

import botkit
from arena.domain.bots import sdk_reference
from engine import variants
from engine.outcome import Termination
from engine.registry import find
from sandbox.doctor.guarantees import CHECKS
from tests.tree import ROOT, compose_files, ours, text

DOCUMENTS = sorted({"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", *ours(".md")})
PAGES = [name for name in ours(".md") if name.startswith("docs/")]
INDEX = "docs/index.md"
RECORDS = "docs/adr/"  # linked as a folder, and kept as they were written
VARIABLE = re.compile(r"\b(DRAPEAU_[A-Z_]+|DATABASE_URL)\b")
FENCE = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
ELSEWHERE = ("http:", "https:", "mailto:", "diagram:")


def variables_read() -> set[str]:
    product = [n for n in ours(".py") if n.startswith(("arena/", "engine/", "sandbox/"))]
    quoted = re.compile(r"\"(DRAPEAU_[A-Z_]+|DATABASE_URL)\"")
    return {name for file in product for name in quoted.findall(text(file))}


def first_cells(page: str, section: str = "") -> list[str]:
    """Return the first cell of each table row after a section starts, without code marks."""
    rows = re.findall(r"^\| *([^|]+?) *\|", text(page)[text(page).index(section) :], re.MULTILINE)
    return [row.strip("`") for row in rows if not set(row) <= set("-: ")]


def anchors(page: str) -> set[str]:
    """Return the anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page), re.MULTILINE)
    slugs = [re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings]
    times = Counter(slugs)
    return {f"{slug}-{n}" if n else slug for slug in times for n in range(times[slug])}


def links(page: str) -> list[str]:
    found: list[str] = re.findall(r"\]\(([^)\s]+)[^)]*\)", FENCE.sub("", page))
    return [link for link in found if not link.startswith(ELSEWHERE)]


def dead_links(folder: Path, page: str) -> list[str]:
    """Return the links of a page that lead to no file, or to no heading of the file."""
    return [link for link in links(page) if not leads_somewhere(link, folder, page)]


def leads_somewhere(link: str, folder: Path, page: str) -> bool:
    path, _, anchor = link.partition("#")
    if not anchor:
        return (folder / path).exists()
    target = (folder / path).read_text("utf-8") if path else page
    return anchor in anchors(target)


def unlisted(index: str, pages: list[str]) -> list[str]:
    """Return the pages that the index does not list in exactly one line."""
    listed = Counter(re.findall(r"^- \[[^\]]+\]\(([^)#]+)\): \S", index, re.MULTILINE))
    return [page for page in pages if listed[page] != 1]


def test_links_of_documents_lead_somewhere():
    dead = {name: dead_links((ROOT / name).parent, text(name)) for name in DOCUMENTS}

    assert len(dead) > 100
    assert {name: found for name, found in dead.items() if found} == {}


def test_the_index_has_a_line_for_every_page():
    inside = [
        str(PurePosixPath(name).relative_to("docs"))
        for name in PAGES
        if name != INDEX and not name.startswith(RECORDS)
    ]

    assert unlisted(text(INDEX), inside) == []
    assert "(docs/index.md)" in text("README.md")


def test_every_setting_is_documented_and_exists():
    assert set(first_cells("docs/reference/settings.md")) - {"variable"} == variables_read()


def test_every_setting_of_the_compose_files_is_documented():
    named = {name for file in compose_files() for name in VARIABLE.findall(text(file))}
    pages = ("docs/reference/settings.md", "docs/reference/compose-variables.md")
    documented = {name for page in pages for name in first_cells(page)}

    assert named - documented == set()
    assert set(first_cells(pages[1])) - {"variable"} <= named


def test_compose_file_passes_on_every_operator_setting():
    of_the_image = {
        *("DRAPEAU_DATA_DIR", "DRAPEAU_STATIC_ROOT", "DRAPEAU_STATIC_COLLECTED"),
        "DRAPEAU_WHEELS_DIR",
    }
    not_in_production = {"DRAPEAU_DEBUG", "DRAPEAU_LOG_FORMAT", "DRAPEAU_TRUST_BOTS"}

    passed = set(VARIABLE.findall(text("compose.yaml")))

    assert variables_read() - passed == of_the_image | not_in_production


def test_every_termination_has_its_row():
    cells = first_cells("docs/reference/terminations.md")

    own = [find(rules.parent.name) for rules in Path(variants.HERE).glob("*/rules.py")]
    known = {word for variant in own for word in variant.endings} | {*Termination}
    assert {*cells} - {"termination"} == known


def test_every_name_of_the_sdk_has_its_row():
    listed = re.findall(r"^\| `(\S+)` \|", text("docs/reference/sdk.md"), re.MULTILINE)
    beside = re.findall(r"^## (\w+\.\w+)$", sdk_reference.as_markdown(), re.MULTILINE)

    assert sorted(listed) == sorted([*botkit.__all__, *beside])


def test_every_guarantee_of_the_doctor_has_its_row():
    page = text("docs/reference/isolation-levels.md")
    levels = ("docker", "bubblewrap", "process")

    for check in CHECKS:
        cells = ["yes" if level in check.guaranteed_by else "" for level in levels]
        under_gvisor = "yes" if cells[0] and not check.of_kernel else ""
        row = " | ".join([check.text, *cells, under_gvisor])
        assert f"| {row} |\n" in page


def test_every_metric_has_its_row():
    product = [name for name in ours(".py") if re.match("arena/(?!wheels/)", name)]
    families = {
        family for name in product for family in re.findall(r"\"(drapeau_[a-z_]+)\"", text(name))
    }
    documented = {
        cell.partition("{")[0].removesuffix("_total")
        for cell in first_cells("docs/reference/metrics.md")
    }

    assert documented - {"metric"} == families
