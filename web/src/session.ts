// Who is signed in. Cognito is asked from here directly; the tokens stay in this browser, so that closing it and
// opening it again comes back to the same place. All tabs share one session.
import { config } from "./config";
import * as storage from "./kept";

export type Session = { username: string; access: string; expiresAt: number; refresh: string };
/** What is asked before there are tokens: a password of one's own, an app's code, or (with its `secret`) to set that app up. */
export type Challenge = { name: string; username: string; session: string; secret?: string };
type Tokens = { AccessToken: string; ExpiresIn: number; RefreshToken?: string };
type Reply = { AuthenticationResult?: Tokens; ChallengeName?: string; Session?: string; SecretCode?: string; Status?: string };

export class Refused extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

const KEPT = "sheaf.session";
const EARLY_MS = 60_000;
const watchers = new Set<() => void>();
let refreshing: Promise<string> | null = null;
let isOver = false;

/** Whether somebody was signed in here until his session ended by itself. */
export const hasEnded = (): boolean => isOver;

export const kept = (): string | null => storage.kept(KEPT);

export function current(): Session | null {
  return storage.keptObject<Session>(KEPT);
}

export function watch(told: () => void): () => void {
  watchers.add(told);
  return () => watchers.delete(told);
}

addEventListener("storage", (event) => {
  if (event.key === KEPT || event.key === null) tell();
});

function tell(): void {
  for (const told of watchers) told();
}

function keep(session: Session | null): void {
  storage.keep(KEPT, session && JSON.stringify(session));
  tell();
}

async function cognito(verb: string, body: unknown): Promise<Reply> {
  const { signIn } = await config;
  const answer = await fetch(signIn.endpoint, {
    method: "POST",
    credentials: "omit",
    headers: {
      "Content-Type": "application/x-amz-json-1.1",
      "X-Amz-Target": `AWSCognitoIdentityProviderService.${verb}`,
    },
    body: JSON.stringify(body),
  });
  // An answer that was cut off, or that whoever stands between gave, refuses nobody. Raises where it cannot be read.
  const told = (await answer.json()) as Reply & { __type?: string; message?: string };
  if (answer.ok) return told;
  if (answer.status >= 500 || answer.status === 429 || told.__type?.endsWith("TooManyRequestsException")) throw new Error(`HTTP ${answer.status}`);
  throw new Refused((told.__type ?? "").split("#").pop() ?? "", told.message ?? `HTTP ${answer.status}`);
}

async function accept(username: string, reply: Reply, refresh = ""): Promise<Challenge | null> {
  const tokens = reply.AuthenticationResult;
  if (tokens) {
    const expiresAt = Date.now() + tokens.ExpiresIn * 1000;
    isOver = false;
    keep({ username, access: tokens.AccessToken, expiresAt, refresh: tokens.RefreshToken ?? refresh });
    return null;
  }
  const { ChallengeName: name = "", Session: session = "" } = reply;
  if (name === "NEW_PASSWORD_REQUIRED" || name === "SOFTWARE_TOKEN_MFA") return { name, username, session };
  if (name !== "MFA_SETUP") throw new Refused("UnknownChallenge", name);
  const key = await cognito("AssociateSoftwareToken", { Session: session });
  return { name, username, session: key.Session ?? "", secret: key.SecretCode ?? "" };
}

/** Sign in. A user that an administrator has just made, or who has a second factor, is asked for more first. */
export async function signIn(username: string, password: string): Promise<Challenge | null> {
  const { signIn: told } = await config;
  const login = { USERNAME: username, PASSWORD: password };
  const asked = { ClientId: told.clientId, AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: login };
  return accept(username, await cognito("InitiateAuth", asked));
}

/** Have a code sent for a password that was forgotten; `answer` takes it with the new one. */
export async function forget(username: string): Promise<Challenge> {
  const { signIn: told } = await config;
  const asked = cognito("ForgotPassword", { ClientId: told.clientId, Username: username });
  await asked.catch((error: unknown) => {
    throw error instanceof Refused ? new Refused("NoReset", error.message) : error;
  });
  return { name: FORGOTTEN, username, session: "" };
}

export const FORGOTTEN = "FORGOTTEN";

export async function answer({ name, username, session, secret }: Challenge, said: string, code = ""): Promise<Challenge | null> {
  const { signIn: told } = await config;
  if (name === FORGOTTEN) {
    await cognito("ConfirmForgotPassword", { ClientId: told.clientId, Username: username, ConfirmationCode: code, Password: said });
    return signIn(username, said);
  }
  const field = { NEW_PASSWORD_REQUIRED: "NEW_PASSWORD", SOFTWARE_TOKEN_MFA: "SOFTWARE_TOKEN_MFA_CODE" }[name];
  const asked = {
    ClientId: told.clientId,
    ChallengeName: name,
    Session: secret === undefined ? session : await verified(session, said),
    ChallengeResponses: { USERNAME: username, ...(field && { [field]: said }) },
  };
  return accept(username, await cognito("RespondToAuthChallenge", asked));
}

/** The session that goes on once the app that was set up has shown a right code. */
async function verified(session: string, code: string): Promise<string> {
  const told = await cognito("VerifySoftwareToken", { Session: session, UserCode: code });
  if (told.Status !== "SUCCESS") throw new Refused("CodeMismatchException", "");
  return told.Session ?? "";
}

export async function signOut(): Promise<void> {
  isOver = false;
  const { signIn: told } = await config;
  const session = current();
  keep(null);
  if (session) await cognito("RevokeToken", { ClientId: told.clientId, Token: session.refresh }).catch(() => null);
}

/** A token that is good for a minute at least, and not the one that was refused. Raises Refused when the session is over. */
export async function token(refused?: string): Promise<string> {
  const session = current();
  if (!session) throw new Refused("SignedOut", "");
  if (session.access !== refused && session.expiresAt - EARLY_MS > Date.now()) return session.access;
  refreshing ??= renew(session).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

async function renew(session: Session): Promise<string> {
  const { signIn: told } = await config;
  const asked = {
    ClientId: told.clientId,
    AuthFlow: "REFRESH_TOKEN_AUTH",
    AuthParameters: { REFRESH_TOKEN: session.refresh },
  };
  try {
    const reply = await cognito("InitiateAuth", asked);
    if (isOurs(session)) await accept(session.username, reply, session.refresh);
  } catch (error) {
    if (error instanceof Refused && isOurs(session)) {
      isOver = true;
      keep(null);
    }
    if (!(error instanceof Refused) || !current()) throw error;
  }
  const now = current();
  if (!now) throw new Refused("SignedOut", "");
  return now.access;
}

/** Whether nobody has signed out, and no other tab has renewed it, while Cognito was asked. */
function isOurs(session: Session): boolean {
  return current()?.access === session.access;
}
