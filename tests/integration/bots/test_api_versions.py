import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from arena.models import CheckStep, Scope, User, Version
from botkit.package import UPLOAD_MAX_BYTES, zipped
from tests import factories
from tests.integration.api import rows

STEPS = [str(step) for step in CheckStep if step != CheckStep.BUILT]  # of Python
LOG = "Traceback: the words of the bot"


def upload(caller, bot, *, name="bot.py", data=rows.SOURCE, **fields):
    form = {"file": SimpleUploadedFile(name, data), **fields}
    return caller.post(f"/bots/{bot}/versions", form, format="multipart")


@pytest.fixture
def owned(signed_in):
    bot = factories.make_bot()
    return signed_in(bot.owner), bot


def test_upload_is_accepted_for_checking_and_followed(owned, anyone):
    caller, bot = owned

    answer = upload(caller, bot, variants=["general", "classic"])
    followed = anyone.get(answer["Location"])

    assert answer.status_code == 202
    assert answer["Location"] == f"http://testserver/api/v1/bots/{bot}/versions/1"
    assert answer.json() == followed.json()
    assert answer.json()["status"] == "uploaded"
    assert answer.json()["variants"] == ["classic", "general"]
    assert [row["step"] for row in answer.json()["checklist"]] == STEPS
    assert [row["state"] for row in answer.json()["checklist"]] == ["passed", *["waiting"] * 4]
    assert bytes(Version.objects.get().archive.data) == rows.SOURCE


@pytest.mark.parametrize(
    ("name", "language", "steps"),
    [
        ("bot.mjs", "node", STEPS),
        ("bot.CPP", "cpp", [str(step) for step in CheckStep]),
        ("bot.zip", "", STEPS),  # the manifest will say
    ],
)
def test_language_of_single_file_is_known_at_once(owned, name, language, steps):
    data = zipped({"bot.py": b"print()"}) if name.endswith(".zip") else rows.SOURCE

    told = upload(*owned, name=name, data=data).json()

    assert told["language"] == language
    assert [row["step"] for row in told["checklist"]] == steps


def test_bad_upload_has_its_code_and_stores_nothing(owned):
    for form, status, code, field in (
        ({"data": b"#" * (UPLOAD_MAX_BYTES + 1)}, 413, "too_large", "file"),
        ({"variants": "general, chess"}, 400, "unknown_variant", "variants"),
    ):
        answer = upload(*owned, **form)

        assert answer.status_code == status
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == code
        assert [row["field"] for row in answer.json()["errors"]] == [field]
        assert answer.json()["hint"]
    assert not Version.objects.exists()


def test_fifty_megabytes_are_refused_by_their_stated_size(owned):
    caller, bot = owned

    class Unread(io.RawIOBase):
        def read(self, *_):
            raise AssertionError("read although it is too large")

    answer = caller.generic(
        "POST",
        f"/bots/{bot}/versions",
        content_type="multipart/form-data; boundary=x",
        CONTENT_LENGTH=str(50 * 1024 * 1024),
        **{"wsgi.input": Unread()},
    )

    assert answer.status_code == 413
    assert answer.json()["code"] == "body_too_large"
    assert "52428800 bytes" in answer.json()["detail"]
    assert not Version.objects.exists()


def test_a_broken_form_is_refused(owned):
    caller, bot = owned

    for body in (b"", b"no boundary in here", b"--x\r\nhalf a part"):
        answer = caller.generic(
            "POST", f"/bots/{bot}/versions", body, content_type="multipart/form-data; boundary=x"
        )

        assert answer.status_code == 400
        assert answer["Content-Type"] == "application/problem+json"
        assert [row["field"] for row in answer.json().get("errors", [])] in ([], ["file"])


def test_a_chunked_upload_is_asked_for_its_size(owned):
    caller, bot = owned

    answer = caller.generic("POST", f"/bots/{bot}/versions", HTTP_TRANSFER_ENCODING="chunked")

    assert answer.status_code == 411
    assert answer.json()["code"] == "length_required"


def test_only_owner_and_staff_read_the_log(signed_in, anyone):
    version = factories.make_upload()
    version.checks.filter(step=CheckStep.PROTOCOL).update(
        state="failed", message="It did not answer.", log=LOG
    )
    staff = User.objects.create_user("operator", is_staff=True)
    own = f"/bots/{version.bot}/versions/1"

    for caller in (signed_in(version.bot.owner), signed_in(staff)):
        links = {row["step"]: row["log_url"] for row in caller.get(own).json()["checklist"]}
        assert [step for step, link in links.items() if link] == ["protocol"]
        assert caller.get(links["protocol"]).json() == {"steps": [{"step": "protocol", "log": LOG}]}
    others = [anyone, signed_in(rows.user()), signed_in(version.bot.owner, Scope.BOTS_WRITE)]
    pages = [caller.get(path) for caller in others for path in (own, f"{own}/log")]

    assert [page.status_code for page in pages] == [200, 401, 200, 403, 200, 403]
    assert [page for page in pages if LOG in page.content.decode()] == []
    assert [page for page in pages if "/log" in page.content.decode()] == []


def test_the_owner_downloads_an_upload_as_it_was(signed_in):
    version = factories.make_ready_with(source="# mine\n")

    answer = signed_in(version.bot.owner).get(f"/bots/{version.bot}/versions/1/archive")

    assert b"".join(answer.streaming_content) == b"# mine\n"
    assert answer["Content-Disposition"] == f'attachment; filename="{version.filename}"'
    assert "no-store" in answer["Cache-Control"]
