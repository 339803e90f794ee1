// Workbooks on their way up: each is a session of its own, and fails alone. Lives as long as the tab.
import { insist } from "../api";
import { said } from "../pieces";
import { limit } from "../queries";
import { hash, post } from "../upload";
import type { Word } from "../words";
import { announce, fresh, remove } from "./calls";
import type { SheetWord } from "./words";

export type State = "waiting" | "hashing" | "sending" | "done" | "failed";
/** `why`: a word of the sheets, of the page, or a sentence. */
export type Item = { id: number; file: File; project: string; state: State; sent: number; why: SheetWord | Word | string; session: string | null };

const KINDS = /\.(xlsx|xls|ods|csv)$/i;
const AT_ONCE = 2;
const watchers = new Set<() => void>();
let items: Item[] = [];
let count = 0;
let running = 0;

export const all = (): Item[] => items;
const isOver = (item: Item) => item.state === "done" || item.state === "failed";

export function watch(told: () => void): () => void {
  watchers.add(told);
  return () => void watchers.delete(told);
}

function tell(next: Item[]): void {
  items = next;
  for (const told of watchers) told();
}

const turn = (item: Item, change: Partial<Item>) => tell(items.map((each) => (each.id === item.id ? Object.assign(item, change) : each)));
export const forget = (item: Item): void => tell(items.filter((each) => each.id !== item.id));

addEventListener("beforeunload", (event) => {
  if (items.some((item) => !isOver(item))) event.preventDefault();
});

/** `known` is told of the session of each as soon as there is one. */
export function add(files: Iterable<File>, project: string, known: (session: string) => void): void {
  const added = [...files].map((file): Item => {
    count += 1;
    const why: SheetWord | "" = !KINDS.test(file.name) ? "wrongKind" : file.size > limit("bytesPerSheet") ? "tooLarge" : file.size === 0 ? "emptyFile" : "";
    return { id: count, file, project, state: why ? "failed" : "waiting", sent: 0, why, session: null };
  });
  tell([...added, ...items.filter((item) => item.state !== "done")]);
  void run(known);
}

export async function again(item: Item): Promise<void> {
  const { session, project } = item;
  // What nothing was sent to says nothing to anybody.
  if (session) await remove(project, session).catch(() => undefined);
  turn(item, { state: "waiting", sent: 0, why: "", session: null });
  await run(() => undefined);
}

async function run(known: (session: string) => void): Promise<void> {
  if (running >= AT_ONCE) return;
  running += 1;
  for (let next = waits(); next; next = waits()) await one(next, known);
  running -= 1;
}

const waits = () => items.find((item) => item.state === "waiting");

async function one(item: Item, known: (session: string) => void): Promise<void> {
  turn(item, { state: "hashing" });
  void run(known);
  const { file, project } = item;
  const sha256 = await hash(file).catch(() => "");
  if (!sha256) return turn(item, { state: "failed", why: isSecureContext ? "notReadable" : "notSecure" });
  const key = crypto.randomUUID();
  try {
    const { session, upload } = await insist(() => announce(project, key, { filename: file.name, size: file.size, sha256 }));
    turn(item, { state: "sending", session: session.sessionId });
    void fresh(project);
    known(session.sessionId);
    // No form: it has come already, by a request whose answer was lost.
    const why = upload && (await post(file, upload, (sent) => turn(item, { sent })));
    turn(item, why ? { state: "failed", why } : { state: "done", sent: 1 });
  } catch (error) {
    turn(item, { state: "failed", why: said(error) || "refusedUpload" });
  }
  void fresh(project);
}
