"""What a bot tries when the doctor is the bot: one module per subject, each function one experiment.

They run inside the bot's confinement with the standard library alone and are told apart from what
judges them: `sandbox.probe` calls them there, `sandbox.doctor` asks for them here. An experiment
gives whether the promise held and what was seen.
"""
