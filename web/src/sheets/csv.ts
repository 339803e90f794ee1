// A sheet as CSV, made here from the clean data: a text that a spreadsheet would run as a formula gets an apostrophe before it.
import { defused } from "../defused";
import type { SheetView, Value } from "./shapes";

const NEEDS_QUOTES = /[",\r\n]/;
const END = "\r\n";
/** By it spreadsheets know that it is UTF-8. */
const MARK = "\uFEFF";

export function field(value: Value): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = defused(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const line = (values: Value[]): string => values.map(field).join(",") + END;

/** Whether it was compressed is seen by its first bytes: what stands between may have unpacked it. */
async function unpacked(answer: Response): Promise<ReadableStream<Uint8Array>> {
  const all = await answer.blob();
  const head = new Uint8Array(await all.slice(0, 2).arrayBuffer());
  const isPacked = head[0] === 0x1f && head[1] === 0x8b;
  return (isPacked ? all.stream().pipeThrough(new DecompressionStream("gzip")) : all.stream()) as ReadableStream<Uint8Array>;
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
    const found = rest.split("\n");
    rest = found.pop() ?? "";
    yield* found.filter((each) => each.trim());
    if (done) break;
  }
  if (rest.trim()) yield rest;
}

/** Raises Error where the data does not come, or ends too early. */
export async function csvOf(url: string, sheet: number): Promise<Blob> {
  const answer = await fetch(url, { cache: "no-store" });
  if (!answer.ok) throw new Error(String(answer.status));
  const parts: string[] = [MARK];
  let sheets: SheetView[] | null = null;
  let [from, to, at] = [0, 0, 0];
  for await (const text of lines(await unpacked(answer))) {
    if (sheets === null) {
      sheets = (JSON.parse(text) as { sheets: SheetView[] }).sheets;
      from = sheets.slice(0, sheet).reduce((all, each) => all + each.rows, 0);
      to = from + (sheets[sheet]?.rows ?? 0);
      parts.push(line((sheets[sheet]?.columns ?? []).map((column) => column.name)));
      continue;
    }
    if (at >= from && at < to) parts.push(line(JSON.parse(text) as Value[]));
    at += 1;
    if (at >= to) break;
  }
  if (sheets === null || at < to) throw new Error("cut short");
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}

export function give(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
