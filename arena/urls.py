"""Where every page lives. The pages and the API list their own URLs."""

from django.contrib import admin
from django.urls import include, path

handler429 = "arena.web.limits.too_many"  # allauth looks for this name
handler500 = "arena.web.failures.failed"
urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.account.urls")),
    path("api/v1/", include("arena.api.urls")),
    path("", include("arena.web.urls")),
]
