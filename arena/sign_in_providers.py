"""The other sites that sign users in, as the environment of the process sets them up."""

from typing import Any

from arena.environment import Environment


def of(env: Environment) -> list[dict[str, Any]]:
    """Return them as allauth's `SocialApp` names their parts. Raise ImproperlyConfigured."""
    providers: list[dict[str, Any]] = []
    if env.together("DRAPEAU_GITHUB_CLIENT_ID", "DRAPEAU_GITHUB_SECRET"):
        providers.append(
            {
                "provider": "github",
                "provider_id": "",
                "name": "GitHub",
                "client_id": env.text("DRAPEAU_GITHUB_CLIENT_ID"),
                "secret": env.secret("DRAPEAU_GITHUB_SECRET", "DRAPEAU_GITHUB_SECRET_FILE"),
                "settings": {"scope": ["user:email"], "oauth_pkce_enabled": True},
            }
        )
    if env.together(
        "DRAPEAU_OIDC_ISSUER", "DRAPEAU_OIDC_NAME", "DRAPEAU_OIDC_CLIENT_ID", "DRAPEAU_OIDC_SECRET"
    ):
        providers.append(
            {
                "provider": "openid_connect",
                "provider_id": "oidc",
                "name": env.text("DRAPEAU_OIDC_NAME"),
                "client_id": env.text("DRAPEAU_OIDC_CLIENT_ID"),
                "secret": env.secret("DRAPEAU_OIDC_SECRET", "DRAPEAU_OIDC_SECRET_FILE"),
                "settings": {
                    "server_url": env.issuer("DRAPEAU_OIDC_ISSUER"),
                    "oauth_pkce_enabled": True,
                },
            }
        )
    return providers
