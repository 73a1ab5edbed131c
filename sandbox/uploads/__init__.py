"""Uploads: packages, manifests, languages and the compile step."""
