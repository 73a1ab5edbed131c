"""Read models for pages and the API that span rooms. Nothing in the domain imports them."""
