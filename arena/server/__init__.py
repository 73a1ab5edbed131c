"""The web server: uvicorn with what it lacks, the trusted proxies and the limits of bodies."""
