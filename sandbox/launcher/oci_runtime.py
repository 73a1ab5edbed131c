"""Which OCI runtime of the engine starts the containers of bots, and why."""

from collections.abc import Collection
from dataclasses import dataclass

from sandbox.refusal import IsolationUnavailable

SETTING = "DRAPEAU_DOCKER_RUNTIME"
AUTO = "auto"
GVISOR = "runsc"
# How the names of the OCI runtimes begin that bring a kernel of their own: gVisor and Kata. All
# other runtimes count as using the host's kernel, because then more guarantees are tried.
WITH_OWN_KERNEL = ("runsc", "kata", "io.containerd.runsc.", "io.containerd.kata.")


@dataclass(frozen=True, slots=True)
class Choice:
    """An OCI runtime by the name that the engine gives it, and the reason for people."""

    name: str
    reason: str


def has_own_kernel(name: str) -> bool:
    """Return whether an OCI runtime, such as gVisor's, puts its own kernel before the host's."""
    return name.startswith(WITH_OWN_KERNEL)


def choose(setting: str, *, default: str, listed: Collection[str]) -> Choice:
    """Return the runtime for a setting: `auto`, a name, or "" for the engine's default.

    Raise `IsolationUnavailable` for a name that the engine does not list; never replace it.
    """
    if setting == AUTO and GVISOR in listed:
        return Choice(GVISOR, "the engine has gVisor")
    if setting == AUTO:
        return Choice(default, f"the engine's default, because it does not list {GVISOR}")
    if not setting:
        return Choice(default, "the engine's default")
    if setting not in listed:
        known = ", ".join(sorted(listed))
        raise IsolationUnavailable(
            f"docker: {SETTING} asks for {setting}, and the engine does not list it (it lists "
            f"{known}). Declare it in the engine's daemon.json, or name another one."
        )
    return Choice(setting, f"as {SETTING} says")


def remedy(name: str) -> str:
    """Return what to do if the containers of a runtime do not start; "" for the host's kernel."""
    if not has_own_kernel(name):
        return ""
    return (
        f". The engine lists the runtime {name}, but a container did not start under it. Repair "
        f"{name} (docs/how-to/use-gvisor.md), or choose the kernel of the host yourself: "
        f"{SETTING}=runc"
    )
