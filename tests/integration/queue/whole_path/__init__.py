"""The whole path of matches, simulated: who meets whom, who is taken first, and who waits how long.

Run it with `python -m tests.integration.queue.whole_path`.
"""
