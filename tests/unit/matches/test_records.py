from arena.domain.matches import records

TEXT = '{"actions":["a4a5","é"]}' * 500


def test_what_is_packed_comes_back_and_is_small():
    blob = records.packed(text=TEXT)

    assert records.unpacked(blob=blob) == TEXT
    assert len(blob) < len(TEXT) / 20
