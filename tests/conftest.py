"""What all tests share: their limits of time, and which cases only the soak runs."""

import gc
import signal
from collections import defaultdict
from fnmatch import fnmatchcase

import pytest
from hypothesis import HealthCheck, settings

from tests import durations
from tests.tree import ROOT

settings.register_profile(
    "any machine", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

LONGEST_S = durations.table()

# A process in the background of a shell ignores Ctrl-C, and so would all programs that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark for the soak those cases of a test that its marker `kept` does not name."""
    cases = defaultdict(list)
    for item in items:
        if kept := item.get_closest_marker("kept"):
            cases[item.nodeid.partition("[")[0], kept.args].append(item)
    for (test, patterns), found in cases.items():
        ids = [item.callspec.id for item in found]
        unused = {each for each in patterns if not any(fnmatchcase(one, each) for one in ids)}
        if unused and len(ids) > len(patterns):  # fewer were asked for by name
            raise pytest.UsageError(f"{test}: no case is like {sorted(unused)}, which it keeps")
        for item, one in zip(found, ids, strict=True):
            if not any(fnmatchcase(one, each) for each in patterns):
                item.add_marker("soak")


@pytest.hookimpl(trylast=True)
def pytest_itemcollected(item):
    """Set the limit of a test in a file that takes long (`tests.durations`)."""
    longest_s = LONGEST_S.get(str(item.path.relative_to(ROOT)))
    if longest_s and not item.get_closest_marker("timeout"):
        item.add_marker(pytest.mark.timeout(durations.limit_s(longest_s)))


def pytest_collection_finish():
    """Keep the collector from looking again and again at modules that stay: saves a fifteenth."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
