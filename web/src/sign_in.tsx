import { useEffect, useState } from "preact/hooks";
import { config } from "./config";
import { LanguageSwitch, Mark } from "./header";
import { type Challenge, FORGOTTEN, Refused, answer, forget, hasEnded, signIn } from "./session";
import { t } from "./words";

const WRONG = new Set(["NotAuthorizedException", "UserNotFoundException"]);
const WRONG_CODE = new Set(["CodeMismatchException", "EnableSoftwareTokenMFAException", "ExpiredCodeException"]);

function why(error: unknown, asked: Challenge | null): string {
  if (!(error instanceof Refused)) return t("cannotReach");
  if (error.code === "NoReset") return t("noReset");
  if (WRONG_CODE.has(error.code)) return t("wrongCode");
  if (isOver(error, asked)) return t("signInOver");
  if (WRONG.has(error.code)) return t("wrongPassword");
  if (error.code === "InvalidPasswordException") return t("badPassword", { reason: error.message });
  return t("cannotSignIn", { reason: error.message || error.code });
}

/** What Cognito asked has to be answered within minutes; then one begins again. */
function isOver(error: unknown, asked: Challenge | null): boolean {
  return asked !== null && error instanceof Refused && error.code === "NotAuthorizedException";
}

/** Opens an authenticator app where there is one on this device. */
function otpauth({ username, secret }: Challenge): string {
  return `otpauth://totp/Sheaf:${encodeURIComponent(username)}?secret=${secret}&issuer=Sheaf`;
}

export function SignIn() {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [isDemo, setIsDemo] = useState(false);
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    document.title = `${t("signIn")} · Sheaf`;
    void config.then(({ signIn: told }) => {
      if (!told.password) return;
      setUsername((typed) => typed || (told.username ?? ""));
      setPassword((typed) => typed || (told.password ?? ""));
      setIsDemo(true);
    });
  }, []);
  const [code, setCode] = useState("");
  const [isShown, show] = useState(false);
  const isForgotten = challenge?.name === FORGOTTEN;
  const isCode = challenge !== null && challenge.name !== "NEW_PASSWORD_REQUIRED" && !isForgotten;
  const submit = (event: Event) => {
    event.preventDefault();
    if (busy) return;
    ask(challenge ? answer(challenge, isCode ? password.trim() : password, code.trim()) : signIn(username.trim(), password));
  };
  const ask = (asked: Promise<Challenge | null>) => {
    setBusy(true);
    setWrong("");
    asked
      .then((next) => {
        setChallenge(next);
        if (next) setPassword("");
      }, (error: unknown) => {
        setWrong(why(error, challenge));
        if (isOver(error, challenge)) setChallenge(null);
        if (challenge) setPassword("");
      })
      .finally(() => setBusy(false));
  };
  const title = t(isCode ? "code" : challenge ? "newPassword" : "signIn");
  return (
    <main id="main" class="sign-in" tabIndex={-1}>
      <form onSubmit={submit}>
        <div class="brand"><Mark />Sheaf</div>
        <h1>{title}</h1>
        <p class="quiet">{t(challenge?.secret ? "codeSetUp" : isCode ? "codeWhy" : isForgotten ? "forgottenWhy" : challenge ? "newPasswordWhy" : hasEnded() ? "sessionOver" : "tagline")}</p>
        {challenge?.secret && <p><a href={otpauth(challenge)}><code>{challenge.secret}</code></a></p>}
        {!challenge && (
          <label>
            {t("email")}
            <input name="username" type="text" inputMode="email" autocomplete="username" required value={username} onInput={(event) => setUsername(event.currentTarget.value)} />
          </label>
        )}
        {isForgotten && (
          <label>
            {t("resetCode")}
            <input name="code" inputMode="numeric" autocomplete="one-time-code" required value={code} onInput={(event) => setCode(event.currentTarget.value)} />
          </label>
        )}
        <label>
          {challenge ? title : t("password")}
          <input key={challenge?.name} name="password" type={isCode || isShown ? "text" : "password"} inputMode={isCode ? "numeric" : "text"} autocomplete={isCode ? "one-time-code" : challenge ? "new-password" : "current-password"} required value={password} onInput={(event) => setPassword(event.currentTarget.value)} />
        </label>
        {!isCode && <label class="show-password"><input type="checkbox" checked={isShown} onChange={() => show(!isShown)} />{t("showPassword")}</label>}
        <p class="wrong" role="alert">{wrong}</p>
        <button type="submit" class="first" aria-busy={busy}>{t(busy ? "signingIn" : challenge && !isCode ? "savePassword" : "signIn")}</button>
        {!challenge && <button type="button" class="plain" disabled={busy || !username.trim()} onClick={() => ask(forget(username.trim()))}>{t("forgotten")}</button>}
        <p class="quiet small">{isDemo && !challenge ? t("demoFilled") : ""}</p>
      </form>
      <LanguageSwitch />
    </main>
  );
}
