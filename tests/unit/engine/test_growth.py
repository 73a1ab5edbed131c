"""Messages may grow: keys that one end does not know change nothing, wherever they stand."""

from itertools import count, repeat

from botkit import RESIGN
from engine.protocol import Answer
from engine.rng import Rng
from tests.unit.engine.games import EVERY, caps
from tests.unit.engine.players import KitTable, MemoryTable, random_player
from tests.unit.engine.refereed import record_of

NESTED = ("clock", "limits", "wants")  # objects of a message that may grow too


class Growing(KitTable):
    """A table between an arena and bots of which each sends keys that the other does not know."""

    def __init__(self, seats, keys):
        self.keys = keys
        super().__init__(seats)

    def wire(self, message):
        for part in (message, *(message[key] for key in NESTED if key in message)):
            for key in next(self.keys):
                part[key] = [{"type": "act", "legal": ["nothing"]}, 7]
        return super().wire(message)


def keys():
    """Yield one random key after the other, each in a list."""
    rng = Rng(1, "keys")
    letters = "abcdefghijklmnopqrstuvwxyz_"
    while True:
        yield ["x_" + "".join(rng.choice(letters) for _ in range(6))]


@EVERY
def test_game_ends_same_with_unknown_keys(variant):
    plain, grown = Growing(variant.seats, repeat([])), Growing(variant.seats, keys())

    records = [record_of(variant, 1, caps(variant), table=table) for table in (plain, grown)]

    assert records[0].result.fault is None
    assert records[0].to_json() == records[1].to_json()
    assert plain.sent == grown.sent
    for seat in variant.seats:
        assert plain.notes[seat] == []
        assert [note.split(": ")[0] for note in grown.notes[seat]] == ["warning"]


@EVERY
def test_every_seat_hears_every_event_to_last(variant):
    """What a bot hears is what its seat may hear of the whole game, in order and once."""
    table = KitTable(variant.seats)
    record = record_of(variant, 1, caps(variant), table=table)
    state = variant.begin(record.options, record.rng_seed)
    events = [
        event
        for played in record.actions
        for event in variant.apply(state, played.seat, played.action)
    ]

    for seat in variant.seats:
        end = table.messages(seat)[-1]
        assert table.bots[seat].heard == [event.seen_by(seat) for event in events]
        assert end["events"][-1]["type"] == "ended"
        assert end["events"][-1]["termination"] == end["termination"]
        assert end["view"] == variant.view(state, seat)


@EVERY
def test_lines_do_not_tell_others_thinking_time(variant):
    def lines(seat, others_ms):
        players = {each: random_player(n) for n, each in enumerate(variant.seats)}
        others = {each: costing(play, others_ms) for each, play in players.items() if each != seat}
        table = MemoryTable({**players, **others})
        record_of(variant, 1, caps(variant), table=table)
        return table.sent[seat]

    def costing(play, times_ms):
        costs = iter(times_ms)
        return lambda message: Answer(play(message), next(costs))

    for seat in variant.seats:
        quick = lines(seat, (1.0 for _ in count()))
        assert len(quick) > 3
        assert quick == lines(seat, (float(n % 40) for n in count()))


@EVERY
def test_resignation_ends_game_wherever_seat_is_asked(variant):
    """In every phase; it is never among the legal actions, so players of chance do not resign."""
    phases = set()
    for rng_seed in range(3):
        state = variant.begin(record_of(variant, rng_seed, caps(variant)).options, rng_seed)
        rng = Rng(rng_seed, "resigning")
        while variant.result(state) is None:
            asked = variant.asked(state)
            seat = asked[-1]
            twin = variant.copy(state)
            assert RESIGN not in (variant.legal(state, seat) or ())
            for other in asked[:-1]:
                variant.apply(twin, other, variant.sample(twin, other, rng))
            kinds = [event.kind for event in variant.apply(twin, seat, RESIGN)]
            result = variant.result(twin)
            phases.add(variant.phase(state))

            assert kinds == ["resigned", "ended"]
            assert (result.termination, result.fault) == ("resigned", None)
            assert result.points[variant.side_of(seat)] == 0
            assert variant.view(twin, seat)["to_act"] == []
            variant.apply(state, asked[0], variant.sample(state, asked[0], rng))

    assert phases >= {"deploy", "turn"}
