"""The images in which bots run: a folder per runtime, what they are made of, and their build."""
