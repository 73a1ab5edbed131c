"""`python -m tests.sandbox.serve PATH`: the launcher service, without the examination before it."""

import logging
import os
import sys
from pathlib import Path

from sandbox.launcher import embedded, server

if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    run_dir = Path(os.environ["DRAPEAU_RUN_DIR"])
    launcher = embedded.Embedded(
        run_dir,
        warm=embedded.warm_containers(),
        oci_runtime=os.environ.get("DRAPEAU_DOCKER_RUNTIME", ""),
    )
    server.serve(Path(sys.argv[1]), launcher)
