"""The pictures of the rule page."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from engine.scene import Scene

DIAGRAMS: Mapping[str, Callable[[], Scene]] = MappingProxyType({})
