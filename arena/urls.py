"""Where every page lives. The pages and the API list their own URLs."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# Who signs in to the admin passes the page, and the limits, of everybody.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign] # as allauth documents
handler429 = "arena.web.quota_page.too_many"  # allauth looks for this name
handler500 = "arena.web.failures.failed"
urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.account.urls")),
    path("api/v1/", include("arena.api.urls")),
    path("", include("arena.web.urls")),
]
