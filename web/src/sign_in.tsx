import { useEffect, useState } from "preact/hooks";
import { config } from "./config";
import { LanguageSwitch, Mark } from "./header";
import { type Challenge, Refused, choosePassword, signIn } from "./session";
import { t } from "./words";

const WRONG = new Set(["NotAuthorizedException", "UserNotFoundException"]);

function why(error: unknown): string {
  if (!(error instanceof Refused)) return t("cannotReach");
  if (WRONG.has(error.code)) return t("wrongPassword");
  if (error.code === "InvalidPasswordException") return t("badPassword", { reason: error.message });
  return t("cannotSignIn", { reason: error.message || error.code });
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
  const submit = (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setWrong("");
    const asked = challenge ? choosePassword(challenge, password) : signIn(username.trim(), password);
    asked
      .then((next) => {
        setChallenge(next);
        if (next) setPassword("");
      }, (error: unknown) => setWrong(why(error)))
      .finally(() => setBusy(false));
  };
  return (
    <main id="main" class="sign-in" tabIndex={-1}>
      <form onSubmit={submit}>
        <div class="brand"><Mark />Sheaf</div>
        <h1>{t(challenge ? "newPassword" : "signIn")}</h1>
        <p class="quiet">{challenge ? t("newPasswordWhy") : t("tagline")}</p>
        {!challenge && (
          <label>
            {t("email")}
            <input name="username" type="text" inputMode="email" autocomplete="username" required value={username} onInput={(event) => setUsername(event.currentTarget.value)} />
          </label>
        )}
        <label>
          {t(challenge ? "newPassword" : "password")}
          <input name="password" type="password" autocomplete={challenge ? "new-password" : "current-password"} required value={password} onInput={(event) => setPassword(event.currentTarget.value)} />
        </label>
        <p class="wrong" role="alert">{wrong}</p>
        <button type="submit" class="first" aria-busy={busy}>{t(busy ? "signingIn" : challenge ? "savePassword" : "signIn")}</button>
        <p class="quiet small">{isDemo && !challenge ? t("demoFilled") : ""}</p>
      </form>
      <LanguageSwitch />
    </main>
  );
}
