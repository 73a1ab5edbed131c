"""Pages, the API, the admin and templates ask `permissions`; they do not decide by themselves."""

import re
from pathlib import Path

import arena

ROOT = Path(arena.__file__).parent
PLACES = ("web", "api", "templates", "templatetags", "admin.py", "admin_site.py")
DECIDES = re.compile(
    r"\.(is_staff|is_superuser)\b|has_perm\(|owner_id\s*[=!]=|[=!]=\s*[\w.]*owner_id"
    r"|\buser\s*[=!]=|[=!]=\s*user\b|organizers\.(filter|contains)"
)


def _decides(text):
    return [line.strip() for line in text.splitlines() if DECIDES.search(line)]


def test_only_the_module_of_permissions_decides():
    deciding = {}
    for place in PLACES:
        root = ROOT / place
        for path in [root] if root.is_file() else sorted(root.rglob("*.*")):
            if path.suffix in (".py", ".html") and (found := _decides(path.read_text())):
                deciding[str(path.relative_to(ROOT))] = found

    assert deciding == {}
