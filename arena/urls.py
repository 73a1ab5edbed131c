"""The root URLs. The pages and the API have their own lists."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from arena.web.accounts import views as accounts

# Operators sign in to the admin through the usual page, with its limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign] # as allauth documents
handler429 = "arena.web.quota_page.too_many"  # allauth looks for this name
handler500 = "arena.web.failures.failed"
urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/password/change/", accounts.change_password, name="account_change_password"),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("api/v1/", include("arena.api.urls")),
    path("", include("arena.web.urls")),
]
