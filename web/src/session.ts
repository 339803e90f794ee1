// Who is signed in. Cognito is asked from here directly; the tokens stay in this browser, so that closing it and
// opening it again comes back to the same place. All tabs share one session.
import { config } from "./config";

export type Session = { username: string; access: string; expiresAt: number; refresh: string };
export type Challenge = { username: string; session: string };
type Tokens = { AccessToken: string; ExpiresIn: number; RefreshToken?: string };
type Reply = { AuthenticationResult?: Tokens; ChallengeName?: string; Session?: string };

export class Refused extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

const KEPT = "sheaf.session";
const EARLY_MS = 60_000;
const watchers = new Set<() => void>();
let refreshing: Promise<string> | null = null;

export const kept = (): string | null => localStorage.getItem(KEPT);

export function current(): Session | null {
  const text = kept();
  return text ? (JSON.parse(text) as Session) : null;
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
  if (session) localStorage.setItem(KEPT, JSON.stringify(session));
  else localStorage.removeItem(KEPT);
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

function accept(username: string, reply: Reply, refresh = ""): Challenge | null {
  const tokens = reply.AuthenticationResult;
  if (tokens) {
    const expiresAt = Date.now() + tokens.ExpiresIn * 1000;
    keep({ username, access: tokens.AccessToken, expiresAt, refresh: tokens.RefreshToken ?? refresh });
    return null;
  }
  if (reply.ChallengeName === "NEW_PASSWORD_REQUIRED") return { username, session: reply.Session ?? "" };
  throw new Refused("UnknownChallenge", reply.ChallengeName ?? "");
}

/** Sign in. A user that an administrator has just made is asked for a password of their own first. */
export async function signIn(username: string, password: string): Promise<Challenge | null> {
  const { signIn: told } = await config;
  const login = { USERNAME: username, PASSWORD: password };
  const asked = { ClientId: told.clientId, AuthFlow: "USER_PASSWORD_AUTH", AuthParameters: login };
  return accept(username, await cognito("InitiateAuth", asked));
}

export async function choosePassword(challenge: Challenge, password: string): Promise<Challenge | null> {
  const { signIn: told } = await config;
  const answers = { USERNAME: challenge.username, NEW_PASSWORD: password };
  const asked = {
    ClientId: told.clientId,
    ChallengeName: "NEW_PASSWORD_REQUIRED",
    Session: challenge.session,
    ChallengeResponses: answers,
  };
  return accept(challenge.username, await cognito("RespondToAuthChallenge", asked));
}

export async function signOut(): Promise<void> {
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
    if (isOurs(session)) accept(session.username, reply, session.refresh);
  } catch (error) {
    if (error instanceof Refused && isOurs(session)) keep(null);
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
