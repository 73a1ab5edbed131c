"""How pages write numbers in each language.

A number has a decimal point in all languages: the same number stands in drawings and in attributes,
where a comma would be wrong, and in the records and the API that bot authors compare it with.
"""
