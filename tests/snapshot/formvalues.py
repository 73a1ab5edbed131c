"""What a browser would send of the forms of a page, if nobody changed anything."""

from html.parser import HTMLParser


def of_page(html):
    """Return the values of all fields of a page by name; a box that is not ticked has none."""
    reader = _Reader()
    reader.feed(html)
    return reader.values


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.values = {}
        self.select = self.area = None

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        name = given.get("name")
        if tag == "input" and name and given.get("type") != "file":
            if given.get("type") not in ("checkbox", "radio") or "checked" in given:
                self.values[name] = given.get("value") or ""
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select:
            if "selected" in given or self.select not in self.values:
                self.values[self.select] = given.get("value") or ""
        elif tag == "textarea" and name:
            self.area = name
            self.values[name] = ""

    def handle_endtag(self, tag):
        if tag == "select":
            self.select = None
        elif tag == "textarea":
            self.area = None

    def handle_data(self, data):
        if self.area:
            self.values[self.area] += data.removeprefix("\n")
