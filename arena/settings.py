"""Settings of the site, from environment variables. The defaults run it from one folder.

Read them through `django.conf.settings`, not from this module.
"""

from datetime import timedelta
from math import inf
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from csp.constants import NONE, SELF
from django.urls import reverse_lazy
from kombu.transport import TRANSPORT_ALIASES

from arena import sign_in_providers
from arena.data_dir import make_broker_folders, make_data_dir, read_or_make_secret
from arena.environment import Environment
from arena.logs import STYLES, logging_settings
from botkit import sprt
from engine.signature import KEY_DIGITS

env = Environment()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = make_data_dir(Path(env.text("DRAPEAU_DATA_DIR", str(BASE_DIR / "var"))))

# --- The site ---------------------------------------------------------------------------------

DEBUG = env.switch("DRAPEAU_DEBUG")
SECRET_KEY = env.text("DRAPEAU_SECRET_KEY") or read_or_make_secret(DATA_DIR / "secret_key")
# This machine is always allowed, because health checks come from it.
ALLOWED_HOSTS = [*env.words("DRAPEAU_ALLOWED_HOSTS"), "localhost", "127.0.0.1", "[::1]"]
# Where the site is, for links in mail that no request causes.
SITE_URL = env.origin("DRAPEAU_SITE_URL")
CSRF_TRUSTED_ORIGINS = env.words("DRAPEAU_CSRF_ORIGINS")

# The number of proxies in front of the site. `arena.server.proxies` reads their headers and drops
# them, so everything else finds the caller in REMOTE_ADDR. With 0 no header counts.
PROXIES = env.whole("DRAPEAU_PROXIES", default=0)

INSTALLED_APPS = [
    "arena.apps.ArenaConfig",
    "arena.apps.ArenaAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.github",
    "allauth.socialaccount.providers.openid_connect",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "knox",
    "rest_framework",
]

MIDDLEWARE = [
    "arena.http_metrics.count_requests",
    "arena.request_ids.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "arena.web.compression.CompressionMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "arena.web.viewer.PrivatePagesMiddleware",
    "arena.web.failures.WrongMethodMiddleware",
    "arena.web.quota_page.QuotaMiddleware",
    "arena.web.accounts.bans.BanMiddleware",
    "arena.web.accounts.second_factors.SecondFactorMiddleware",
]

ROOT_URLCONF = "arena.urls"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "arena" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("fr", "Français"), ("nl", "Nederlands"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "arena" / "locale"]
FORMAT_MODULE_PATH = "arena.formats"
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 86_400
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = "UTC"
USE_TZ = True

# --- Data -------------------------------------------------------------------------------------

_DATABASE = env.database(
    "DATABASE_URL", default=f"sqlite:///{quote(str(DATA_DIR))}/drapeau.sqlite3"
)
if _DATABASE["ENGINE"].endswith("sqlite3"):
    _DATABASE["OPTIONS"] = {
        # Transactions queue for the only writer, instead of failing half-way.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA temp_store=MEMORY;"
            "PRAGMA mmap_size=134217728;PRAGMA journal_size_limit=27103364;PRAGMA cache_size=2000;"
        ),
    }
else:
    # A connection ends with the request or the task that opened it. In the web server it goes back
    # to the pool of `arena.server.threads`.
    _DATABASE["CONN_MAX_AGE"] = 0
    _DATABASE["CONN_HEALTH_CHECKS"] = True
    # A client that stops or disappears within a transaction must not keep its locks, and who waits
    # for a lock hears of it before a lease runs out.
    # Of a cut network, both sides hear within half a minute, not after hours. The server then drops
    # the transaction, whose locks would keep others from a job of a host that was cut off.
    # Statements of the site are short: to compile one (`jit`) takes longer than to run it.
    _DATABASE["OPTIONS"] = {
        "connect_timeout": 10,
        "keepalives_idle": 15,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
        "options": "-c idle_in_transaction_session_timeout=120s -c lock_timeout=10s"
        " -c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
        " -c tcp_user_timeout=30s -c jit=off",
        **_DATABASE.get("OPTIONS", {}),
    }
DATABASES: dict[str, dict[str, Any]] = {"default": _DATABASE}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The cache counts requests per caller, so all web processes must use the same one.
_CACHE = env.cache("DRAPEAU_CACHE_URL", default="locmemcache://")
if _CACHE["BACKEND"].endswith("RedisCache"):
    _CACHE["BACKEND"] = "arena.forgiving_cache.ForgivingRedisCache"
    _CACHE["OPTIONS"] = {"socket_connect_timeout": 1, "socket_timeout": 1}
else:
    _CACHE["OPTIONS"] = {"MAX_ENTRIES": 100_000}
CACHES: dict[str, dict[str, Any]] = {"default": _CACHE}

STATIC_URL = "static/"
STATIC_ROOT = make_data_dir(Path(env.text("DRAPEAU_STATIC_ROOT", str(DATA_DIR / "static"))))
# Without `collectstatic` files are served from their sources; with it, hashed and compressed.
STATIC_COLLECTED = env.switch("DRAPEAU_STATIC_COLLECTED")
WHITENOISE_USE_FINDERS = not STATIC_COLLECTED
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "whitenoise.storage.CompressedManifestStaticFilesStorage"
            if STATIC_COLLECTED
            else "arena.bundles.StampedStorage"
        )
    },
}
STATICFILES_FINDERS = [
    "arena.bundles.BundleFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]

# --- The web server ---------------------------------------------------------------------------

# An upload may have 5 MiB, and its form a little more. Most routes allow much less:
# `arena.server.bodies` has the table. What is above 256 KiB waits in a temporary file.
BODY_MAX_BYTES = 6 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = BODY_MAX_BYTES
FILE_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 4

# How many requests `arena.server.threads` answers, how many wait, and for how long.
# These three only count the connections of the site (`arena.server.connection_sums`).
WEB_PROCESSES = env.whole("DRAPEAU_WEB_PROCESSES", default=1, least=1)
WORKERS = env.whole("DRAPEAU_WORKERS", default=2, least=1)
MATCH_SLOTS = env.whole("DRAPEAU_MATCH_SLOTS", default=2, least=1)
REQUESTS_AT_ONCE = env.whole("DRAPEAU_REQUESTS_AT_ONCE", default=8, least=1)
REQUESTS_WAITING = env.whole("DRAPEAU_REQUESTS_WAITING", default=50)
REQUEST_WAIT_S = env.whole("DRAPEAU_REQUEST_WAIT_S", default=2, least=1)

# How long `arena.server.connections` waits for clients, and how many of them.
CONNECTIONS = env.whole("DRAPEAU_CONNECTIONS", default=1200, least=1)
STREAMS = env.whole("DRAPEAU_STREAMS", default=500)  # of these, for matches, seats and pages
HEAD_S = env.whole("DRAPEAU_HEAD_S", default=10, least=1)
KEEP_ALIVE_S = env.whole("DRAPEAU_KEEP_ALIVE_S", default=5, least=1)
BODY_PAUSE_S = env.whole("DRAPEAU_BODY_PAUSE_S", default=20, least=1)
BODY_BYTES_PER_S = env.whole("DRAPEAU_BODY_BYTES_PER_S", default=16 * 1024, least=1)
ANSWER_S = env.whole("DRAPEAU_ANSWER_S", default=30, least=1)

# --- Accounts ---------------------------------------------------------------------------------

AUTH_USER_MODEL = "arena.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
_VALIDATORS = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATORS}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_VALIDATORS}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{_VALIDATORS}.CommonPasswordValidator"},
    {"NAME": f"{_VALIDATORS}.NumericPasswordValidator"},
]
LOGIN_URL = reverse_lazy("account_login")
LOGIN_REDIRECT_URL = reverse_lazy("home")
ACCOUNT_LOGOUT_REDIRECT_URL = reverse_lazy("home")
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_USERNAME_VALIDATORS = "arena.models.user.USERNAME_VALIDATORS"
ACCOUNT_USERNAME_BLACKLIST = [  # who has such a name seems to speak for the site
    *("abuse", "admin", "administrator", "api", "drapeau", "help", "info", "mod", "moderator"),
    *("new", "official", "operator", "root", "security", "staff", "support", "system", "webmaster"),
]
ACCOUNT_ADAPTER = "arena.web.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "change_password": "arena.web.accounts.password_forms.ChangePasswordForm",
    "reset_password_from_key": "arena.web.accounts.password_forms.ResetPasswordKeyForm",
}
# Names are public, since every bot's URL contains one; addresses are not. Several accounts may
# claim an address, and one can confirm it.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # to change the address, which can reset the password
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True  # a way in for an owner whose account is under attack
SIGN_UPS_PER_HOUR = env.whole("DRAPEAU_SIGN_UPS_PER_HOUR", default=100, least=1)  # a class fits
SIGN_INS_PER_MINUTE = env.whole("DRAPEAU_SIGN_INS_PER_MINUTE", default=60, least=1)
WRONG_PASSWORDS_PER_MINUTE = env.whole("DRAPEAU_WRONG_PASSWORDS_PER_MINUTE", default=20, least=1)
TOKENS_PER_HOUR = env.whole("DRAPEAU_TOKENS_PER_HOUR", default=200, least=1)
TRUSTED_NETWORKS = env.networks("DRAPEAU_TRUSTED_NETWORKS")
# Failed sign-ins: per address and per account, but those of a known device only per device.
ACCOUNT_RATE_LIMITS: dict[str, str | None] | bool = {
    "signup": f"{SIGN_UPS_PER_HOUR}/h/ip",
    "login": None,  # would count known devices with the attackers at their address
    "login_new_device": f"{SIGN_INS_PER_MINUTE}/m/ip",
    "login_failed": f"{WRONG_PASSWORDS_PER_MINUTE}/m/ip,5/5m/key",
    "login_known_device": "10/5m/key",
    "login_elsewhere": "20/m/ip",  # each asks the other site, and holds a thread meanwhile
}
# Django's mail goes to the outbox; the worker of the queue `mail` hands it to the transport.
EMAIL_BACKEND = "arena.domain.accounts.outgoing_mail.Outbox"
_MAIL = env.email("DRAPEAU_EMAIL_URL", default="consolemail://")
MAIL_TRANSPORT = _MAIL.pop("EMAIL_BACKEND")
HAS_MAIL_SERVER = MAIL_TRANSPORT != "django.core.mail.backends.console.EmailBackend"
globals().update(_MAIL)
EMAIL_TIMEOUT = env.whole("DRAPEAU_EMAIL_TIMEOUT_S", default=10, least=1)
DEFAULT_FROM_EMAIL = env.sender("DRAPEAU_EMAIL_FROM", default="webmaster@localhost")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "Drapeau"
MFA_TOTP_TOLERANCE = 1  # clocks may differ by half a minute
MFA_ALLOW_UNVERIFIED_EMAIL = True  # a site without mail has second factors too
# Browsers offer keys on plain HTTP for localhost only.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not env.switch("DRAPEAU_HTTPS")
STAFF_MFA = env.switch("DRAPEAU_STAFF_MFA")
REFUSED_NAMES = env.words("DRAPEAU_REFUSED_NAMES")
REGISTRATION_OPEN = env.switch("DRAPEAU_REGISTRATION_OPEN", default=True)

SIGN_IN_PROVIDERS = sign_in_providers.of(env)
SOCIALACCOUNT_ADAPTER = "arena.web.accounts.provider_adapter.ProviderAdapter"
SOCIALACCOUNT_QUERY_EMAIL = True

# Our own model replaces that of knox, whose migrations would still create a table.
MIGRATION_MODULES: dict[str, str | None] = {"knox": None}
KNOX_TOKEN_MODEL = "arena.ApiToken"  # noqa: S105 - the name of a table
REST_KNOX = {
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_PREFIX": "drp_",
    "TOKEN_TTL": timedelta(days=365),
}

# --- API --------------------------------------------------------------------------------------

API_CALLS_PER_MINUTE = env.whole("DRAPEAU_API_CALLS_PER_MINUTE", default=600, least=1)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "knox.auth.TokenAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "arena.api.schema.ArenaSchema",
    "DEFAULT_VERSIONING_CLASS": None,
    "NUM_PROXIES": 0,  # REMOTE_ADDR is the caller
    "DEFAULT_THROTTLE_RATES": {
        "calls": f"{API_CALLS_PER_MINUTE}/min",
        "register": f"{SIGN_UPS_PER_HOUR}/hour",
        "token": f"{TOKENS_PER_HOUR}/hour",
        "account": "30/hour",
    },
    "EXCEPTION_HANDLER": "arena.api.problems.exception_handler",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Drapeau",
    "DESCRIPTION": "Bots, versions, ladders, matches and records.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# --- Webhooks ---------------------------------------------------------------------------------

# Networks beside the public ones that webhooks may be sent to.
WEBHOOK_NETWORKS = env.networks("DRAPEAU_WEBHOOK_NETWORKS")
# Deliveries have what the API would answer, and the domain does not import the API.
WEBHOOK_PAYLOAD = "arena.api.webhooks.payloads.payload"

# --- Limits per user, not for staff -----------------------------------------------------------

UPLOADS_PER_DAY = env.whole("DRAPEAU_UPLOADS_PER_DAY", default=100)
CHALLENGES_PER_DAY = env.whole("DRAPEAU_CHALLENGES_PER_DAY", default=50)
OPEN_CHALLENGES_PER_USER = env.whole("DRAPEAU_OPEN_CHALLENGES_PER_USER", default=5)
REPORTS_PER_DAY = env.whole("DRAPEAU_REPORTS_PER_DAY", default=10)
OPEN_TOURNAMENTS_PER_USER = env.whole("DRAPEAU_OPEN_TOURNAMENTS_PER_USER", default=5)
TOURNAMENT_MAX_GAMES = env.whole("DRAPEAU_TOURNAMENT_MAX_GAMES", default=10_000)

# --- Persons who play against bots -------------------------------------------------------------

PERSON_GAMES = env.whole("DRAPEAU_PERSON_GAMES", default=2)  # at once on each host of a runner
REMOTE_GAMES = env.whole("DRAPEAU_REMOTE_GAMES", default=4)  # matches, likewise
OPEN_PERSON_GAMES = env.whole("DRAPEAU_OPEN_PERSON_GAMES", default=20)
PERSON_GAMES_PER_ADDRESS = env.whole("DRAPEAU_PERSON_GAMES_PER_ADDRESS", default=2)
PERSON_BANK_S = env.whole("DRAPEAU_PERSON_BANK_S", default=1800, least=1)
PERSON_MOVE_S = env.whole("DRAPEAU_PERSON_MOVE_S", default=120, least=1)
GUESTS_PLAY = env.switch("DRAPEAU_GUESTS_PLAY", default=True)

# --- Security ---------------------------------------------------------------------------------

HTTPS = env.switch("DRAPEAU_HTTPS")
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = False  # the proxy that ends TLS redirects
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = None  # the request has the scheme that the trusted proxies report
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "object-src": [NONE],
    },
}

# --- Jobs -------------------------------------------------------------------------------------

CELERY_BROKER_URL = env.broker_url(
    "DRAPEAU_BROKER_URL",
    default="filesystem://localhost",
    known={*TRANSPORT_ALIASES, "filesystem"},
)
# A sender does not wait for a broker that is down or hangs, because the rows are the jobs.
_BROKER_PATIENCE = {
    "connect_retries_timeout": 1,
    "interval_start": 0.1,
    "interval_step": 0.1,
    "interval_max": 0.5,
    "socket_connect_timeout": 2,
    "socket_timeout": 10,
}
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {**make_broker_folders(DATA_DIR), "polling_interval": 0.1}
    if CELERY_BROKER_URL.startswith("filesystem")
    else _BROKER_PATIENCE
)
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker without a limit
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True  # the result of a job is in its row
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = False  # the sweeper requeues jobs, not the broker
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Each user of the broker has its own control messages, which the broker keeps from the others.
CELERY_CONTROL_EXCHANGE = urlsplit(CELERY_BROKER_URL).username or "celery"
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {
    "arena.wake_runner": {"queue": "matches"},
    "arena.send_mail": {"queue": "mail"},
    "arena.send_webhooks": {"queue": "mail"},  # its worker is the one with a way out
}
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BEAT_SCHEDULER = "arena.beat:Scheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
# A scheduled message that nobody takes in time expires, because the next one does the same.
CELERY_BEAT_SCHEDULE = {
    "matchmake": {"task": "arena.matchmake", "schedule": 2.0, "options": {"expires": 10}},
    "probe": {"task": "arena.probe", "schedule": 10.0, "options": {"expires": 10}},
    "sweep": {"task": "arena.sweep", "schedule": 10.0, "options": {"expires": 30}},
    "watch-queue": {"task": "arena.watch_queue", "schedule": 15.0, "options": {"expires": 30}},
    "refit": {"task": "arena.refit", "schedule": 10.0, "options": {"expires": 10}},
    "direct": {"task": "arena.direct", "schedule": 2.0, "options": {"expires": 10}},
    "file-records": {
        "task": "arena.file_records",
        "schedule": 60.0,
        "options": {"expires": 30},
    },
    "find-surprises": {
        "task": "arena.find_surprises",
        "schedule": 300.0,
        "options": {"expires": 240},
    },
    "send-mail": {"task": "arena.send_mail", "schedule": 30.0, "options": {"expires": 30}},
    "send-webhooks": {"task": "arena.send_webhooks", "schedule": 5.0, "options": {"expires": 5}},
    "forget": {"task": "arena.forget", "schedule": 3600.0, "options": {"expires": 1800}},
}

# For how long what bots wrote, evidence and notices are kept; with 0 for ever.
LOGS_KEPT_DAYS = env.whole("DRAPEAU_LOGS_KEPT_DAYS", default=90)
NOTICES_KEPT_DAYS = env.whole("DRAPEAU_NOTICES_KEPT_DAYS", default=365)

LEASE_S = env.whole("DRAPEAU_LEASE_S", default=60, least=1)
RESEND_AFTER_S = env.whole("DRAPEAU_RESEND_AFTER_S", default=60)
MATCH_ATTEMPTS = env.whole("DRAPEAU_MATCH_ATTEMPTS", default=3, least=1)
CHECK_ATTEMPTS = env.whole("DRAPEAU_CHECK_ATTEMPTS", default=5, least=1)
CHECK_WAIT_S = env.whole("DRAPEAU_CHECK_WAIT_S", default=1200)
QUEUED_MATCHES_PER_LADDER = env.whole("DRAPEAU_QUEUED_MATCHES_PER_LADDER", default=4)
VISITOR_PAGES_KEPT_S = env.whole("DRAPEAU_VISITOR_PAGES_KEPT_S", default=5)
RANKED_FOR_DAYS = env.whole("DRAPEAU_RANKED_FOR_DAYS", default=30)
RANKED_FROM_GAMES = env.whole("DRAPEAU_RANKED_FROM_GAMES", default=20, least=1)
SETTLED_PAUSE_S = env.whole("DRAPEAU_SETTLED_PAUSE_S", default=60)
OPEN_MATCHES_PER_BOT = env.whole("DRAPEAU_OPEN_MATCHES_PER_BOT", default=2)
CRASH_STREAK = env.whole("DRAPEAU_CRASH_STREAK", default=3, least=1)
PROBE_DELAY_S = env.whole("DRAPEAU_PROBE_DELAY_S", default=300)
PROBE_EVERY_DAYS = env.number(
    "DRAPEAU_PROBE_EVERY_DAYS",
    default=7.0,
    fits=lambda days: 0 <= days < inf,
    allowed="a mean number of days, or to 0 for no probes of versions that are not paused",
)
TRIAL_MARGIN = env.number(
    "DRAPEAU_TRIAL_MARGIN",
    default=sprt.NELO1,
    fits=lambda margin: 0 < margin <= sprt.NELO1_MAX,
    allowed=f"a number of normalized Elo above 0 and at most {sprt.NELO1_MAX:g}",
)
TRIAL_MAX_GAMES = env.whole("DRAPEAU_TRIAL_MAX_GAMES", default=sprt.MAX_GAMES)
QUEUE_ALARM_S = env.whole("DRAPEAU_QUEUE_ALARM_S", default=600)

# --- Metrics and traces -----------------------------------------------------------------------

METRICS_TOKEN = env.text("DRAPEAU_METRICS_TOKEN")
COMMIT = env.text("DRAPEAU_COMMIT", "unknown")
OTLP_URL = env.text("DRAPEAU_OTLP_URL")

# --- Untrusted programs (read by the runner only) ---------------------------------------------

ISOLATION = env.choice(
    "DRAPEAU_ISOLATION", default="auto", known=("auto", "docker", "bubblewrap", "process")
)
RUN_DIR = Path(env.text("DRAPEAU_RUN_DIR", str(DATA_DIR / "run")))
TRUST_BOTS = env.switch("DRAPEAU_TRUST_BOTS")
HOUSE_BOTS_DIR = BASE_DIR / "bots"

# --- For authors of bots ----------------------------------------------------------------------

WHEELS_DIR = Path(env.text("DRAPEAU_WHEELS_DIR", str(DATA_DIR / "wheels")))

# --- Records ----------------------------------------------------------------------------------

# The private half of the key that signs records, of which only a runner has need.
RECORD_KEY = env.key("DRAPEAU_RECORD_KEY", digits=KEY_DIGITS)
RECORD_KEY_FILE = Path(env.text("DRAPEAU_RECORD_KEY_FILE", str(DATA_DIR / "record_key")))
RECORDS_LICENCE = env.text("DRAPEAU_RECORDS_LICENCE")

# --- Logs -------------------------------------------------------------------------------------

LOGGING_CONFIG = "arena.logs.configure"
LOGGING = logging_settings(style=env.choice("DRAPEAU_LOG_FORMAT", default="console", known=STYLES))
