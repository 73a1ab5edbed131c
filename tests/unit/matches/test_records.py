from arena.domain.matches import record_compression

TEXT = '{"actions":["a4a5","é"]}' * 500


def test_what_is_packed_comes_back_and_is_small():
    blob = record_compression.packed(text=TEXT)

    assert record_compression.unpacked(blob=blob) == TEXT
    assert len(blob) < len(TEXT) / 20
