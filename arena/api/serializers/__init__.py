"""What goes in and out: every field by name, so that nothing leaves by being added to a model.

They shape and check the form of values; whether something may be done is the domain's to say.
"""
