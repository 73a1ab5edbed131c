"""What a runner does with the sandbox: play matches, check uploads, finish and rate results."""
