"""Who meets whom, what it is worth, and who stands where: functions over plain data, no rows.

A format is a module with the functions of `shapes.Format`; `catalogue` names them all.
"""
