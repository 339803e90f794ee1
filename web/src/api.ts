// The only caller of the API: its token, its project, its errors. Paths, parameters and answers are typed from the
// API's own OpenAPI document, so a path or a field that it does not have is an error of the compiler.
import type { paths } from "../made/api";
import * as session from "./session";

type Method = "get" | "post" | "put" | "delete";
type Paths<M extends Method> = { [P in keyof paths]: paths[P][M] extends object ? P : never }[keyof paths] & string;
type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;
type Json<R> = R extends { content: { "application/json": infer B } } ? B : never;
type Responses<O> = O extends { responses: infer R } ? R : never;
type Success<R> = { [S in keyof R]: S extends 200 | 201 | 202 ? Json<R[S]> : never }[keyof R];
export type Answer<P extends keyof paths, M extends Method> = Success<Responses<Operation<P, M>>>;
type InPath<O> = O extends { parameters: { path: infer V } } ? { path: V } : { path?: never };
type InQuery<O> = O extends { parameters: { query?: infer V } } ? { query?: V } : object;
type InBody<O> = O extends { requestBody: { content: { "application/json": infer B } } }
  ? { body: B }
  : O extends { requestBody?: { content: { "application/json": infer B } } }
    ? { body?: B }
    : object;
/** `patient`: a read that may take as long as the gateway lets it. */
type More = { project?: string | null; key?: string; tag?: string | null; signal?: AbortSignal; patient?: boolean };
type Asked<P extends keyof paths, M extends Method> = InPath<Operation<P, M>> &
  InQuery<Operation<P, M>> &
  InBody<Operation<P, M>> &
  More;
export type Told<B> = { body: B; tag: string | null; unchanged: boolean };

const LOST_MS = 10_000;
/** The gateway itself gives up after 30 seconds. */
const GATEWAY_MS = 35_000;

/** The API said no, and why. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly kind: string,
    detail: string,
    readonly field: string | null,
    readonly retryAfter: number,
    /** All that it said. */
    readonly told: Record<string, unknown> = {},
  ) {
    super(detail);
  }
}

/** No answer came: the network, or whoever stands between. */
export class Offline extends Error {}

export async function ask<M extends Method, P extends Paths<M>>(
  method: M,
  path: P,
  asked: Asked<P, M>,
): Promise<Told<Answer<P, M>>> {
  const bearer = await token();
  let answer = await send(method, path, asked, bearer);
  if (answer.status === 401) answer = await send(method, path, asked, await token(bearer));
  const tag = answer.headers.get("etag");
  if (answer.status === 304) return { body: undefined as never, tag: asked.tag ?? tag, unchanged: true };
  if (!answer.ok) throw await problem(answer);
  const body = answer.status === 204 ? undefined : await answer.json().catch(() => Promise.reject(new Offline()));
  return { body: body as Answer<P, M>, tag, unchanged: false };
}

/** The same, where only the body matters. */
export async function body<M extends Method, P extends Paths<M>>(
  method: M,
  path: P,
  asked: Asked<P, M>,
): Promise<Answer<P, M>> {
  return (await ask(method, path, asked)).body;
}

async function token(refused?: string): Promise<string> {
  try {
    return await session.token(refused);
  } catch (error) {
    throw error instanceof session.Refused ? new Problem(401, "signed-out", "", null, 0) : new Offline();
  }
}

function send(method: string, path: string, asked: More & object, bearer: string): Promise<Response> {
  const { path: inPath, query, body } = asked as {
    path?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: unknown;
  };
  const filled = path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(inPath?.[name] ?? ""));
  const address = new URL(filled.slice(1), document.baseURI.replace(/#.*/, ""));
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) address.searchParams.set(name, String(value));
  }
  const headers: Record<string, string> = { Authorization: `Bearer ${bearer}` };
  if (asked.project) headers["Sheaf-Project"] = asked.project;
  if (asked.key) headers["Idempotency-Key"] = asked.key;
  if (asked.tag) headers["If-None-Match"] = asked.tag;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const sent: RequestInit = { method: method.toUpperCase(), headers, cache: "no-store" };
  if (body !== undefined) sent.body = JSON.stringify(body);
  sent.signal = limited(asked.signal, method === "get" && !asked.patient ? LOST_MS : GATEWAY_MS);
  return fetch(address, sent).catch((error: unknown) => {
    throw asked.signal?.aborted ? error : new Offline();
  });
}

/** Without a limit a request that got lost shows "Loading…" for ever. What is asked for again may be given up sooner. */
function limited(own: AbortSignal | undefined, milliseconds: number): AbortSignal {
  const limit = AbortSignal.timeout(milliseconds);
  return own ? AbortSignal.any([own, limit]) : limit;
}

async function problem(answer: Response): Promise<Problem> {
  const told = (await answer.json().catch(() => ({}))) as Record<string, string>;
  const kind = (told["type"] ?? "").split(":").pop() ?? "";
  const wait = Number(answer.headers.get("retry-after") ?? 0);
  return new Problem(answer.status, kind, told["detail"] ?? "", told["field"] ?? null, wait, told);
}

/** Whether the very same request may succeed a little later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof Offline) return true;
  // Too much at once in this project passes too, but only when a task ends: that has to be told.
  return error instanceof Problem && (error.status >= 500 || (error.status === 429 && error.kind !== "too-much"));
}

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Do it again until it is answered, waiting longer each time. For requests that carry an idempotency key. */
export async function insist<T>(attempt: () => Promise<T>, told: (error: unknown) => void = () => undefined): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isPassing(error)) throw error;
      told(error);
      const asked = error instanceof Problem ? error.retryAfter * 1000 : 0;
      const wait = Math.max(asked, Math.min(FIRST_MS * 2 ** tries, LONGEST_MS)) * (0.8 + Math.random() / 2.5);
      await rest(wait);
    }
  }
}

/** Until then, or until the network is there again. */
function rest(milliseconds: number): Promise<void> {
  return new Promise((wake) => {
    const over = () => {
      clearTimeout(timer);
      removeEventListener("online", over);
      wake();
    };
    const timer = setTimeout(over, milliseconds);
    addEventListener("online", over);
  });
}
