// The rows of one version of a sheet, fetched by blocks as they come into view; what is far away is let go again.
import { isPassing } from "../api";
import { ROWS } from "./calls";
import type { Preview, Value } from "./shapes";

const AT_ONCE = 2;
/** Half a million cells and more of a sheet as wide as the seed's. */
const KEPT = 24;
const SETTLES_MS = 60;
const LATER_MS = 2_000;

export class Blocks {
  #have = new Map<number, Value[][]>();
  #asked = new Map<number, AbortController>();
  #wanted: number[] = [];
  #timer = 0;
  error: unknown = null;

  /** `stale`: another version came than the one that was asked for. */
  constructor(
    readonly version: number,
    readonly total: number,
    private readonly load: (offset: number, signal: AbortSignal) => Promise<Preview>,
    private readonly told: () => void,
    private readonly stale: () => void,
  ) {}

  row(index: number): Value[] | undefined {
    return this.#have.get(Math.floor(index / ROWS))?.[index % ROWS];
  }

  /** These rows, and then the blocks beside them. */
  want(from: number, to: number): void {
    const last = Math.max(0, Math.ceil(this.total / ROWS) - 1);
    const [first, end] = [Math.min(last, Math.floor(from / ROWS)), Math.min(last, Math.floor(to / ROWS))];
    const inView = Array.from({ length: end - first + 1 }, (_, at) => first + at);
    this.#wanted = [...inView, end + 1, first - 1].filter((block) => block >= 0 && block <= last);
    for (const block of inView) this.#touch(block);
    if (!this.total || this.#wanted.every((block) => this.#have.has(block) || this.#asked.has(block))) return;
    this.#later(this.#have.size ? SETTLES_MS : 0);
  }

  again(): void {
    this.error = null;
    this.#fetch();
    this.told();
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const asked of this.#asked.values()) asked.abort();
  }

  /** The one that was looked at last is let go last. */
  #touch(block: number): void {
    const rows = this.#have.get(block);
    if (rows) {
      this.#have.delete(block);
      this.#have.set(block, rows);
    }
  }

  #fetch(): void {
    // Who has scrolled on does not wait for what was passed.
    for (const [block, asked] of this.#asked) if (!this.#wanted.includes(block)) (asked.abort(), this.#asked.delete(block));
    for (const block of this.#wanted) {
      if (this.#asked.size >= AT_ONCE || this.error !== null) return;
      if (!this.#have.has(block) && !this.#asked.has(block)) void this.#one(block);
    }
  }

  async #one(block: number): Promise<void> {
    const asked = new AbortController();
    this.#asked.set(block, asked);
    let wait = 0;
    try {
      const found = await this.load(block * ROWS, asked.signal);
      if (asked.signal.aborted) return;
      if (found.version !== this.version) return this.stale();
      this.#have.set(block, found.rows);
      for (const old of this.#have.keys()) if (this.#have.size > KEPT) this.#have.delete(old);
    } catch (error) {
      if (asked.signal.aborted) return;
      if (isPassing(error)) wait = LATER_MS;
      else this.error = error;
    } finally {
      if (this.#asked.get(block) === asked) this.#asked.delete(block);
    }
    this.told();
    this.#later(wait);
  }

  #later(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fetch(), milliseconds);
  }
}
