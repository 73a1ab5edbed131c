"""The experiments of the doctor's bots: a module for each subject.

Each public function is one experiment and returns whether the guarantee held and what was observed.
They run in the bots, with the standard library only: `sandbox.doctor.probe` calls them there at the
request of `sandbox.doctor.examination`.
"""
