"""What the doctor looks for as the owner of the engine and of the run directory."""

import shutil

from sandbox.doctor import owner


def test_bots_ending_during_doctor_look_have_no_processes(tmp_path, monkeypatch):
    folders = [tmp_path / f"bot-{number}" for number in range(2)]
    for folder in folders:
        (folder / "bot").mkdir(parents=True)

    def clear_all(_folder, _token):
        for each in folders:
            shutil.rmtree(each, ignore_errors=True)
        return True

    monkeypatch.setattr(owner, "_holds", clear_all)

    assert owner.processes(tmp_path, b"marked") == set()
