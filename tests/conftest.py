"""What all tests share: no property test fails because a machine is busy, or by luck."""

import gc

from hypothesis import HealthCheck, settings

settings.register_profile(
    "any machine", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


def pytest_collection_finish():
    """Keep the collector from looking again and again at modules that stay: saves a fifteenth."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
