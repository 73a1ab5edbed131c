"""Room on the disk of a folder that this user may not see."""

import os

import pytest

from sandbox.host import disk

NOBODY = 65534


@pytest.fixture
def closed(tmp_path):
    """Return a folder that this process may not see; root becomes somebody else for that."""
    folder = tmp_path / "closed"
    (folder / "inside").mkdir(parents=True)
    folder.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    yield folder / "inside"
    if user == 0:
        os.seteuid(user)
    folder.chmod(0o700)


def test_unseen_folder_counts_as_nearest_seen_one(closed):
    assert disk.shortage(closed) == ""
