// Papers on their way up: checked, sent straight to the storage, each with how far it is. Lives as long as the tab.
import { body, insist } from "./api";
import { said } from "./pieces";
import { BASES, client, limit } from "./queries";
import type { Upload } from "./shapes";
import type { Word } from "./words";

export type State = "waiting" | "hashing" | "sending" | "done" | "there" | "failed";
export type Item = { id: number; file: File; project: string; base: string; state: State; sent: number; why: Word | string };

export type Form = NonNullable<Upload["upload"]>;

const KINDS = /\.(pdf|xml|nxml|txt)$/i;
const BATCH = 50;
const AT_ONCE = 3;
const watchers = new Set<() => void>();
let items: Item[] = [];
let count = 0;

export const all = (): Item[] => items;
export const isOver = (item: Item): boolean => item.state === "done" || item.state === "there" || item.state === "failed";

export function watch(told: () => void): () => void {
  watchers.add(told);
  return () => void watchers.delete(told);
}

function turn(item: Item, change: Partial<Item>): void {
  items = items.map((each) => (each.id === item.id ? Object.assign(item, change) : each));
  for (const told of watchers) told();
}

export function clear(): void {
  items = items.filter((item) => !isOver(item));
  for (const told of watchers) told();
}

addEventListener("beforeunload", (event) => {
  if (items.some((item) => !isOver(item))) event.preventDefault();
});

/** Put these files into a knowledge base. Resolves when each is there or has failed; never rejects. */
export async function add(files: Iterable<File>, project: string, base: string): Promise<void> {
  const added = [...files].map((file): Item => {
    count += 1;
    const why = !KINDS.test(file.name) ? "wrongKind" : file.size > limit("bytesPerFile") ? "tooLarge" : "";
    return { id: count, file, project, base, state: why ? "failed" : "waiting", sent: 0, why };
  });
  items = [...items, ...added];
  for (const told of watchers) told();
  const wanted = added.filter((item) => item.state === "waiting");
  for (let at = 0; at < wanted.length; at += BATCH) await batch(wanted.slice(at, at + BATCH), project, base);
}

export async function again(item: Item): Promise<void> {
  turn(item, { state: "waiting", sent: 0, why: "" });
  await batch([item], item.project, item.base);
}

async function batch(some: Item[], project: string, base: string): Promise<void> {
  const files: { filename: string; size: number; sha256: string }[] = [];
  const readable: Item[] = [];
  for (const item of some) {
    turn(item, { state: "hashing" });
    const sha256 = await hash(item.file).catch(() => "");
    const same = files.findIndex((each) => each.sha256 === sha256);
    if (!sha256) turn(item, { state: "failed", why: isSecureContext ? "notReadable" : "notSecure" });
    else if (same >= 0) turn(item, { state: "there", sent: 1, why: files[same]?.filename ?? "" });
    else {
      readable.push(item);
      files.push({ filename: item.file.name, size: item.file.size, sha256 });
    }
  }
  if (!files.length) return;
  let uploads: Upload[];
  try {
    const asked = { path: { base_id: base }, project, body: { files } };
    uploads = (await insist(() => body("post", `${BASES}/{base_id}/documents`, asked))).uploads;
  } catch (error) {
    for (const item of readable) turn(item, { state: "failed", why: said(error) || "refusedUpload" });
    return;
  }
  void client.invalidateQueries({ queryKey: ["documents", project, base] });
  const left = readable.map((item, at) => [item, uploads[at]] as const);
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) await one(next[0], next[1]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  void client.invalidateQueries({ queryKey: ["documents", project, base] });
  void client.invalidateQueries({ queryKey: ["bases", project] });
}

async function one(item: Item, upload: Upload | undefined): Promise<void> {
  if (!upload?.upload) return turn(item, { state: "there", sent: 1, why: upload?.document.filename ?? "" });
  turn(item, { state: "sending" });
  let why = await send(item, upload.upload);
  // Those that waited long for their turn find their form over: another one is had for asking.
  if (why === "refusedUpload") why = await anew(item);
  turn(item, why ? { state: "failed", why } : { state: "done", sent: 1 });
}

async function anew(item: Item): Promise<Word | ""> {
  const files = [{ filename: item.file.name, size: item.file.size, sha256: await hash(item.file).catch(() => "") }];
  const asked = { path: { base_id: item.base }, project: item.project, body: { files } };
  const told = await body("post", `${BASES}/{base_id}/documents`, asked).catch(() => null);
  const form = told?.uploads[0]?.upload;
  return form ? send(item, form) : told ? "" : "refusedUpload";
}

const send = (item: Item, to: Form) => post(item.file, to, (sent) => turn(item, { sent }));

/** What stands in the way, or nothing. XMLHttpRequest, because fetch does not tell how much of a body has gone. */
export function post(file: File, to: Form, told: (sent: number) => void): Promise<Word | ""> {
  const form = new FormData();
  for (const [name, value] of Object.entries(to.fields)) form.append(name, String(value));
  form.append("file", file);
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = (event) => told(event.total ? event.loaded / event.total : 0);
    request.onload = () => done(request.status < 300 ? "" : "refusedUpload");
    request.onerror = () => done("lostConnection");
    request.open("POST", to.url);
    request.send(form);
  });
}

export async function hash(file: File): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The sample papers that came with the page, as if they had been chosen here. */
export async function samples(): Promise<File[]> {
  const names = (await (await sample("index.json")).json()) as string[];
  return Promise.all(names.map(async (name) => new File([await (await sample(name)).blob()], name)));
}

async function sample(name: string): Promise<Response> {
  const answer = await fetch(`samples/${encodeURIComponent(name)}`);
  // What is said instead, as by a throttle, is no paper.
  if (!answer.ok) throw new Error(`samples: ${answer.status}`);
  return answer;
}

