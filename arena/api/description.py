"""The schema of the API and a page to read and try it."""

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView


class SchemaView(SpectacularAPIView):
    """OpenAPI 3.1; YAML, or JSON for `Accept: application/json`."""

    authentication_classes = []


# Swagger UI sets styles inline; scripts stay as strict as everywhere.
@method_decorator(csp_update({"style-src": [SELF, UNSAFE_INLINE]}), name="dispatch")
class DocsView(SpectacularSwaggerSplitView):
    """Swagger UI from our own static files."""

    authentication_classes = []
    url_name = "api-schema"
