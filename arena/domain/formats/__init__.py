"""Who meets whom, what it is worth, and who stands where: functions over plain data, no rows.

A format is a module with the functions of `types.Format`; `catalogue` names them all.
"""
