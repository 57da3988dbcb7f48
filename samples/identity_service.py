#!/usr/bin/env python3
"""The wire contract in Python's standard library, in memory: the same service as identity-service.mjs. To check it:

  PORT=8080 TEST_CONTROLS=true python3 identity_service.py
  npx anteroom-verify http://localhost:8080 --scenario identity-service.scenario.json
"""
import hashlib, hmac, json, os, re, secrets, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, unquote, urlsplit

PORT = int(os.environ.get("PORT", "8080"))
ORIGIN, PORTAL = f"http://localhost:{PORT}", "http://localhost:4401"
SITES = {
    "harbor": {"displayName": "Harbor Trust"},
    "northwind": {"displayName": "Northwind Holdings"},
    "corp": {"displayName": "Corp", "provider": "https://idp.example/authorize"},
    "lakeside": {"displayName": "Lakeside Partners", "provider": "https://saml.example/sso", "saml": True},
}
CODE_MINUTES, RESEND_SECONDS, MAXIMUM_FAILURES, MINIMUM_LENGTH = 10, 30, 5, 15
MAXIMUM_SITE_GUESSES, SITE_GUESS_SECONDS = 100, 600
# All other codes have status 401.
STATUS = {"validation_failed": 400, "invalid_new_password": 400, "passwords_do_not_match": 400, "csrf_failed": 403,
          "not_found": 404, "method_not_allowed": 405, "unsupported_media_type": 415, "rate_limit_reached": 429}
users, browsers, sign_outs, error_records, site_guesses = {}, {}, {}, {}, {}
lock, moved_seconds = threading.Lock(), 0

class Refusal(Exception):
    def __init__(self, code, retry_after=None, **members):
        super().__init__(code)
        self.retry_after = retry_after
        self.body = {"code": code, **members}

def now():
    return time.time() + moved_seconds

def ensure(value, code, **more):
    if not value:
        raise Refusal(code, **more)
    return value

def ensure_not_blocked(until):
    ensure(until <= now(), "rate_limit_reached", retry_after=int(until - now()) + 1)

def ensure_correct(is_right, user, code="invalid_credentials"):
    """Counts failures of password and code: from the fifth consecutive one on, each doubles the wait."""
    if not is_right:
        user["failures"] += 1
        if user["failures"] >= MAXIMUM_FAILURES:
            user["waitUntil"] = now() + 60 * 2 ** (user["failures"] - MAXIMUM_FAILURES)
    ensure(is_right, code)

def hash_password(password, salt=None):
    salt = salt or secrets.token_bytes(16)
    return salt, hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)

def new_user(password, **members):
    return {"password": hash_password(password), "sites": [], "phoneNumber": None, "mustChange": False, "failures": 0,
            "waitUntil": 0, "lastCode": "", **members}

def is_password(typed, user):
    salt, key = user["password"]
    return hmac.compare_digest(hash_password(typed, salt)[1], key)

UNKNOWN_USER = new_user(secrets.token_urlsafe())

def organisation(site):
    return {"displayName": SITES[site]["displayName"], "logoPath": f"/{site}.svg"} if site else {}

def text(longest, required=False, shortest=0, pattern=None):
    def fits(value):
        return isinstance(value, str) and shortest <= len(value) <= longest and re.fullmatch(pattern or "(?s:.*)", value)
    return required, fits

RETURN_URL, SITE, USER, SECRET = text(8000), text(50), text(100), text(256, required=True)
ONE_SITE = text(50, required=True, shortest=1)
FLAG = (False, lambda value: isinstance(value, bool))
METRICS = (True, lambda value: isinstance(value, list) and len(value) <= 50)
PROVIDER = {"site": SITE, "returnUrl": RETURN_URL, "forceAuthentication": text(5, pattern="true|false")}
METADATA = '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{}/saml/metadata/{}"/>'
calls = []

def call(method, path, kind="json", **members):
    def register(handler):
        pattern = re.compile(re.sub(r":(\w+)", r"(?P<\1>[^/]+)", path) + "$")
        calls.append((method, pattern, kind, members, handler))
        return handler
    return register

class Browser:
    """The state of a session cookie: the sign-ins that the browser started, and the signed-in user."""

    def __init__(self):
        self.visits, self.latest = {}, None
        self.user, self.site, self.code, self.signed_in = None, None, None, False
        self.token, self.is_new, self.is_over = None, True, False

    def find_visit(self, return_url):
        """The sign-in of a return address, if this browser started it."""
        return self.visits.get(urlsplit(return_url).path) if (return_url or "").startswith("/") else None

    def require_visit(self, return_url, code="not_found", is_open=False):
        """An open sign-in has not been followed to the application yet."""
        self.latest = ensure(self.find_visit(return_url), code)
        return ensure(not (is_open and self.latest["followed"]) and self.latest, code)

    def require_user(self):
        return ensure(self.signed_in and self.user, "unauthorized")

    def sign_in(self, site):
        """Completes the authentication: the session gets a new id."""
        self.signed_in, self.site, self.code, self.is_new = True, site, None, True
        self.user["failures"] = 0

    def finish(self, visit, site):
        """Finishes this sign-in and those of other tabs that need no authentication of their own."""
        self.sign_in(site or self.user["sites"][0])
        for other in self.visits.values():
            other["finished"] = other["finished"] or other is visit or other["prompt"] is None
        return {"status": "redirect", "location": ORIGIN + visit["returnUrl"]}

    def send_code(self):  # A real service sends a text message here.
        self.user["lastCode"] = f"{secrets.randbelow(1_000_000):06}"
        self.code = {"digits": self.user["lastCode"], "sentAt": now(), "guesses": 0}

    def context(self, visit, typed=None):
        prompt = visit["prompt"]
        is_known = self.signed_in and prompt != "switch_tenant"
        named = self.site if is_known else (typed or "").lower()
        site = named if named in SITES and prompt != "switch_tenant" else None
        finished = ORIGIN + visit["returnUrl"] if visit["finished"] else None
        found = {f"defaultSite{name[0].upper()}{name[1:]}": value for name, value in organisation(site).items()}
        session = {"state": "valid" if is_known else "none", "authSite": self.site if is_known else None}
        return {
            "clientId": "director", "returnUrl": visit["returnUrl"], "cancelRedirectUri": f"{PORTAL}/",
            "defaultSite": site, "identityServiceUrl": ORIGIN if site else None, **found,
            "allowDefaultSiteEntry": True, "allowUserNameEntry": not is_known, "allowPasswordEntry": True,
            "finishedLocation": f"{PORTAL}/" if visit["followed"] else finished,
            "promptMethod": None if prompt == "login" else prompt,
            "reauthRequested": is_known and prompt == "login",
            "userName": self.user["userName"] if is_known else None,
            "selectSite": is_known and (prompt == "switch_site" or self.site is None),
            "mfaPhoneNumberSuffix": self.user["phoneNumber"][-2:] if self.code else None,
            "session": {**session, "isExternallyAuthenticated": False},
        }

    @call("GET", "/api/ui/logout-context", logoutId=text(200))
    def logout_context(self, logoutId=None):
        asks = self.signed_in
        return {"requiresConfirmation": asks, "showCancelButton": asks,
                "postLogoutRedirectUri": sign_outs.get(logoutId) or (f"{PORTAL}/" if asks else None),
                "signOutIFrameUrl": f"{PORTAL}/sign-out-frame" if asks else None}

    @call("GET", "/api/ui/sites/:name", name=ONE_SITE)
    def site_existence(self, name):
        site = name.lower()
        count, until = site_guesses.get(self.address, (0, 0))
        ensure_not_blocked(until if count >= MAXIMUM_SITE_GUESSES else 0)
        if site not in SITES:
            site_guesses[self.address] = (count + 1, until) if until > now() else (1, now() + SITE_GUESS_SECONDS)
            return {"siteExists": False}
        return {"siteExists": True, "name": site, "identityServiceUrl": ORIGIN, **organisation(site)}

    @call("GET", "/api/ui/auth/external/redirect", "redirect", **{**PROVIDER, "site": text(50, required=True)})
    @call("GET", "/saml/sp-initiated-sso", "redirect", **PROVIDER)
    def external_redirect(self, site=None, returnUrl=None, forceAuthentication=None):
        provider = SITES.get(site, {}).get("provider")
        ensure(provider and self.find_visit(returnUrl), "not_found")
        return f"{provider}?state={secrets.token_urlsafe()}"

    @call("POST", "/api/ui/authenticate", returnUrl=RETURN_URL, password=SECRET, authSite=SITE, site=SITE, userName=USER)
    def authenticate(self, password, returnUrl=None, site=None, userName=None, **_):
        visit = self.require_visit(returnUrl, is_open=True)
        ensure(userName is not None, "validation_failed")
        user = users.get(userName) or dict(UNKNOWN_USER)  # An unknown name costs the same work.
        ensure_not_blocked(user["waitUntil"])
        ensure_correct(is_password(password, user) and user["sites"] and (site or user["sites"][0]) in user["sites"], user)
        self.user, self.site, self.signed_in, self.code = user, site, False, None
        if user["mustChange"]:
            return {"status": "password_reset_required"}
        if not user["phoneNumber"]:
            return self.finish(visit, site)
        self.send_code()
        more = {"mfaPhoneNumberSuffix": user["phoneNumber"][-2:], "mfaCodeValidityInMinutes": CODE_MINUTES}
        return {"status": "second_factor_required", **more}

    @call("POST", "/api/ui/verify-mfa-code", code=text(6, required=True, pattern="[0-9]{6}"), returnUrl=RETURN_URL,
          publicComputerSignIn=FLAG)
    def verify_mfa_code(self, code, returnUrl=None, publicComputerSignIn=None):
        visit, sent = self.require_visit(returnUrl, is_open=True), self.code
        ensure(sent, "unauthorized")
        ensure(now() - sent["sentAt"] <= CODE_MINUTES * 60, "mfa_token_expired")
        ensure(sent["guesses"] < MAXIMUM_FAILURES, "mfa_max_attempts_exceeded")
        is_right = hmac.compare_digest(code, sent["digits"])
        sent["guesses"] += 0 if is_right else 1
        is_last = sent["guesses"] >= MAXIMUM_FAILURES
        ensure_correct(is_right, self.user, "mfa_max_attempts_exceeded" if is_last else "invalid_credentials")
        if self.site is not None or len(self.user["sites"]) == 1:
            return self.finish(visit, self.site)
        self.sign_in(None)
        return {"status": "select_site_required"}

    @call("POST", "/api/ui/resend-mfa-code", "empty", returnUrl=RETURN_URL)
    def resend_mfa_code(self, returnUrl=None):
        self.require_visit(returnUrl, is_open=True)
        ensure(self.code, "unauthorized")
        ensure_not_blocked(max(self.user["waitUntil"], self.code["sentAt"] + RESEND_SECONDS))
        self.send_code()

    @call("POST", "/api/ui/password-reset", returnUrl=RETURN_URL, currentPassword=SECRET, newPassword=SECRET,
          newPasswordConfirmation=SECRET, authSite=SITE, site=SITE, userName=USER)
    def password_reset(self, currentPassword, newPassword, newPasswordConfirmation, returnUrl=None, **_):
        visit, user = self.require_visit(returnUrl, is_open=True), self.user
        ensure(visit["prompt"] == "change_password" if self.signed_in else user and user["mustChange"], "unauthorized")
        ensure_not_blocked(user["waitUntil"])
        ensure(newPassword == newPasswordConfirmation, "passwords_do_not_match")
        ensure_correct(is_password(currentPassword, user), user)
        ensure(len(newPassword) >= MINIMUM_LENGTH, "invalid_new_password", policyLine="minimumLength")
        user["password"], user["mustChange"] = hash_password(newPassword), False
        for session in [key for key, other in browsers.items() if other.user is user and other is not self]:
            del browsers[session]
        return self.finish(visit, self.site)

    @call("GET", "/api/ui/sites", returnUrl=RETURN_URL)
    def sites(self, returnUrl=None):
        user = self.require_user()
        met = {"areEntitlementRequirementsMet": True, "mfaRequirementMet": True, "clientEntitlement": "none"}
        own = [{"name": name, "sequence": i, **organisation(name), **met} for i, name in enumerate(user["sites"])]
        names = {"userFirstName": "Ada", "userLastName": "Sample", "boardsUserName": user["userName"]}
        return {"sites": own, **names, "directorToDoItemsEnabled": True}

    @call("GET", "/api/ui/sites/:site/todo", site=ONE_SITE)
    def site_todo(self, site):
        ensure(site in self.require_user()["sites"], "not_found")
        counts = ["pendingVoteCount", "openQuestionnairesCount", "minutesCount", "actionItemsCount"]
        return {**dict.fromkeys(counts, 0), "directorHomePageEnabled": True}

# Calls with a single expression.
call("GET", "/api/ui/auth-context", returnUrl=RETURN_URL, site=SITE)(
    lambda browser, returnUrl=None, site=None: browser.context(browser.require_visit(returnUrl), site))
call("GET", "/api/ui/refresh-context")(lambda browser: browser.context(ensure(browser.latest, "not_found")))
for method, base in (("GET", "/api/ui/auth/settings"), ("POST", "/api/auth/settings")):
    call(method, f"{base}/site", returnUrl=RETURN_URL, site=text(50, required=True))(
        lambda browser, site, **_: {"allowPasswordEntry": "provider" not in SITES.get(site, {})})
    call(method, f"{base}/user", returnUrl=RETURN_URL, usernameOrEmail=text(100, required=True), site=SITE)(
        lambda browser, site=None, **_: {"shouldRedirectToExternalAuth": "provider" in SITES.get(site, {})})
call("GET", "/saml/metadata/:sitename", "xml", sitename=ONE_SITE)(
    lambda browser, sitename: ensure(SITES.get(sitename, {}).get("saml"), "not_found") and METADATA.format(ORIGIN, sitename))
call("POST", "/api/ui/password-policy", userName=USER, site=SITE)(
    lambda browser, **_: {"policyLines": [{"line": "minimumLength"}], "minimumLength": MINIMUM_LENGTH})
call("POST", "/api/ui/auth/select-site", site=ONE_SITE, returnUrl=RETURN_URL)(
    lambda browser, site, returnUrl=None: ensure(site in browser.require_user()["sites"], "not_found")
    and browser.finish(browser.require_visit(returnUrl, is_open=True), site))
call("GET", "/api/ui/auth/retry")(
    lambda browser: {"retry": any(visit["finished"] and not visit["followed"] for visit in browser.visits.values())})
call("GET", "/api/ui/auth/post-login-redirect", returnUrl=RETURN_URL)(
    lambda browser, returnUrl=None: {"location": ORIGIN + browser.require_visit(returnUrl, "validation_failed")["returnUrl"]})
call("GET", "/api/ui/error-message", errorId=text(200, required=True, shortest=1))(
    lambda browser, errorId: ensure(error_records.get(errorId), "not_found"))
call("POST", "/api/ui/auth/sign-out", "empty")(lambda browser: setattr(browser, "is_over", True))
call("POST", "/api/ui/metrics", "empty", metricData=METRICS)(lambda browser, metricData: None)
call("GET", "/ui/config.json", t=text(100))(
    lambda browser, t=None: {"globalSupportUrl": f"{PORTAL}/support", "homeUri": f"{PORTAL}/"})

def check(members, sent):
    ensure(sent.keys() <= members.keys(), "validation_failed")
    for name, (required, fits) in members.items():
        ensure(fits(sent[name]) if name in sent else not required, "validation_failed")
    return sent

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # Sends headers and body in one packet.

    def cookie(self, name):
        found = re.search(rf"(?:^|; ){name}=([^;]*)", self.headers.get("cookie", ""))
        return found and found.group(1)

    def answer(self):
        self.url, lines = urlsplit(self.path), []
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        with lock:
            browser = browsers.get(self.cookie("session")) or Browser()
            browser.address = self.client_address[0]
            try:
                status, headers, content = self.dispatch(browser, body)
                lines = self.cookies_for(browser)
            except Refusal as refusal:
                status, content = STATUS.get(refusal.body["code"], 401), json.dumps(refusal.body)
                wait = {} if refusal.retry_after is None else {"Retry-After": str(refusal.retry_after)}
                headers = {"Content-Type": "application/json", **wait}
        self.send_response(status)
        lengths = {} if status == 204 else {"Content-Length": str(len(content.encode()))}
        common = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        for name, value in [*{**common, **lengths, **headers}.items(), *lines]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content.encode())

    do_GET = do_POST = do_OPTIONS = answer

    def cookies_for(self, browser):
        """A new browser, or one whose user has just authenticated, gets a new session with a new anti-forgery token."""
        if not browser.is_new and not browser.is_over:
            return []
        browsers.pop(self.cookie("session"), None)
        session, browser.token, browser.is_new = secrets.token_urlsafe(24), secrets.token_urlsafe(24), False
        end = "; Max-Age=0" if browser.is_over else ""
        if not browser.is_over:
            browsers[session] = browser
        return [("Set-Cookie", f"session={session}; Path=/; SameSite=Lax; HttpOnly{end}"),
                ("Set-Cookie", f"XSRF-TOKEN={browser.token}; Path=/; SameSite=Strict{end}")]

    def dispatch(self, browser, body):
        matches = [(entry, entry[1].match(self.url.path)) for entry in calls if entry[1].match(self.url.path)]
        for (method, _, kind, members, handler), found in matches:
            if method == self.command:
                if method == "POST":
                    self.require_same_origin(browser)
                sent = self.read_body(body) if method == "POST" else self.read_query(members)
                path = {name: unquote(value) for name, value in found.groupdict().items()}
                return self.shape(kind, handler(browser, **check(members, {**sent, **path})))
        ensure(not matches, "method_not_allowed")
        if self.url.path.startswith("/test/") and os.environ.get("TEST_CONTROLS") == "true":
            return 200, {"Content-Type": "application/json"}, json.dumps(control(*self.url.path.split("/")[2:]))
        location = ensure(self.command == "GET" and self.application(browser), "not_found")
        return 302, {"Location": location}, ""

    def require_same_origin(self, browser):
        own = self.headers.get("origin", ORIGIN), self.headers.get("sec-fetch-site", "same-origin")
        held = self.cookie("XSRF-TOKEN") == self.headers.get("x-xsrf-token") == browser.token
        ensure(own == (ORIGIN, "same-origin") and held and browser.token, "csrf_failed")
        ensure(re.match(r"application/json\b", self.headers.get("content-type", "")), "unsupported_media_type")

    def read_body(self, body):
        try:
            sent = json.loads(body or b"{}")
        except ValueError:
            sent = None
        return sent if isinstance(sent, dict) else ensure(False, "validation_failed")

    def read_query(self, members):
        """Query parameters by their case-insensitive names; a repeated one becomes a list, which every check rejects."""
        names, sent = {name.lower(): name for name in members}, {}
        for typed, value in parse_qsl(self.url.query, keep_blank_values=True):
            name = names.get(typed.lower(), typed)
            sent[name] = [sent[name], value] if name in sent else value
        return sent

    def shape(self, kind, answer):
        if kind == "empty":
            return 204, {}, ""
        if kind == "redirect" and "text/plain" not in self.headers.get("accept", ""):
            return 302, {"Location": answer}, ""
        types = {"json": "application/json", "xml": "application/xml", "redirect": "text/plain"}
        return 200, {"Content-Type": types[kind]}, json.dumps(answer) if kind == "json" else answer

    def application(self, browser):
        """The application's authorization request: what an OpenID provider handles, without tokens."""
        path, query, name = self.url.path, dict(parse_qsl(self.url.query)), secrets.token_urlsafe(24)
        if path == "/connect/session/end":
            if query.get("post_logout_redirect_uri") == f"{PORTAL}/signed-out":
                sign_outs[name] = f"{PORTAL}/signed-out"
            return f"/ui/account/logout?logoutId={name}"
        if path == "/connect/authorize":
            if query.get("client_id") != "director" or query.get("redirect_uri") != f"{PORTAL}/callback":
                at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
                error_records[name] = {"error": "invalid_request", "correlationId": name, "timestamp": at}
                return f"/ui/home/error?errorId={name}"
            visit = {"returnUrl": f"{path}/{name}?client_id=director", "prompt": query.get("prompt"),
                     "state": query.get("state", ""), "finished": False, "followed": False}
            browser.visits[f"{path}/{name}"] = visit
            return f"/ui/account/login?ReturnUrl={quote(visit['returnUrl'], safe='')}"
        visit = browser.visits.get(path)
        if visit and visit["finished"]:
            visit["followed"] = True
            return f"{PORTAL}/callback?code={name}&state={quote(visit['state'])}"
        return f"/ui{self.path}" if re.match(r"/$|/(account|home)/", path) else None

    log_message = lambda *_: None

def control(what, value):
    """The test controls for the scenario of the conformance kit. Never in production."""
    global moved_seconds
    if what == "clock":
        moved_seconds += float(value)
        return moved_seconds
    if what == "codes":
        return users[unquote(value)]["lastCode"]
    is_code = value == "code"
    account = {"userName": f"{secrets.token_hex(8)}@sample.example",
               "sites": ["harbor", "northwind"] if is_code else ["harbor"], "phoneNumber": "+447700900142" if is_code else None}
    password = secrets.token_urlsafe()
    users[account["userName"]] = new_user(password, mustChange=value == "password-change", **account)
    return {**account, "password": password}

if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
    print(ORIGIN, flush=True)
    server.serve_forever()
