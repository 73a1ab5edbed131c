"""The one optional step of a build: with DRAPEAU_COMPILE=1 the hot part of the engine is compiled.

    DRAPEAU_COMPILE=1 pip wheel --no-deps .

needs a C compiler and gives a wheel for this Python and machine, made of the same source (mypyc).
Everything else about the build is in pyproject.toml.
"""

import os
import sys

from setuptools import setup

COMPILED = (
    "engine/event.py",
    *(
        f"engine/duel/{module}.py"
        for module in (
            "army",
            "board",
            "chase",
            "deployment",
            "moves",
            "play",
            "spec",
            "state",
            "variant",
            "views",
        )
    ),
)


def main() -> None:
    """Build, compiled or not."""
    if os.environ.get("DRAPEAU_COMPILE") != "1":
        setup()
    elif "egg_info" in sys.argv:  # a front end asks what the build needs
        setup(setup_requires=["mypy>=2.4,<3"])
    else:
        from mypyc.build import mypycify  # noqa: PLC0415 - a plain build does without

        # The project's own settings of mypy want plugins that a build does not have.
        arguments = ["--config-file=", "--strict", *COMPILED]
        setup(ext_modules=mypycify(arguments, opt_level="3", group_name="drapeau"))


if __name__ == "__main__":
    main()
