"""Who meets whom, what it is worth, and who stands where: plain data, no rows.

A format is one class in one file of this folder, derived from `base.Format`. To add one, add its
file: `catalogue` finds it, and pages and the API show it. The other files are the arithmetic that
formats share.
"""
