"""What a bot tries when the doctor is the bot: a module for each subject.

Each public function is one experiment and gives whether the promise held and what was seen. They
run where bots run, with the standard library alone: `sandbox.doctor.probe` calls them there,
`sandbox.doctor.examination` asks for them here.
"""
