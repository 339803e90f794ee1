// An entry's place in its list, by what it says: the first 12 hex digits of SHA-256 over its canonical JSON. The browser's own digest is
// made later and only behind https, and a table is drawn at once.

/** As the server writes it: names in order, no spaces, letters as they are. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "number") return numbered(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  // By code points, as Python sorts; JavaScript's own order is by halves of them.
  const names = Object.keys(value).sort((a, b) => compare([...a], [...b]));
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical((value as Record<string, unknown>)[name])}`).join(",")}}`;
}

/** The digits are the same everywhere; very small ones Python writes as 1e-05. */
function numbered(value: number): string {
  const isSmall = value !== 0 && Math.abs(value) < 1e-4;
  return isSmall ? value.toExponential().replace(/e-(\d)$/, "e-0$1") : String(value);
}

function compare(a: string[], b: string[]): number {
  const at = a.findIndex((letter, place) => letter !== b[place]);
  return at < 0 ? a.length - b.length : at >= b.length ? 1 : (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? 0);
}

const primes = Array.from({ length: 320 }, (_, n) => n).filter((n) => n > 1 && !Array.from({ length: n }, (_, d) => d).some((d) => d > 1 && n % d === 0)).slice(0, 64);
const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0;
const FIRST = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = primes.map((prime) => fraction(Math.cbrt(prime)));
const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const blocks = new DataView(new ArrayBuffer(((bytes.length + 8) >> 6) * 64 + 64));
  bytes.forEach((byte, at) => blocks.setUint8(at, byte));
  blocks.setUint8(bytes.length, 0x80);
  blocks.setUint32(blocks.byteLength - 4, bytes.length * 8);
  const sums = [...FIRST];
  for (let start = 0; start < blocks.byteLength; start += 64) mix(sums, blocks, start);
  return sums.map((sum) => (sum >>> 0).toString(16).padStart(8, "0")).join("");
}

function mix(sums: number[], blocks: DataView, start: number): void {
  const words = Array.from({ length: 16 }, (_, at) => blocks.getInt32(start + at * 4));
  for (let at = 16; at < 64; at += 1) {
    const [before, last] = [words[at - 15]!, words[at - 2]!];
    const low = turned(before, 7) ^ turned(before, 18) ^ (before >>> 3);
    const high = turned(last, 17) ^ turned(last, 19) ^ (last >>> 10);
    words[at] = (words[at - 16]! + low + words[at - 7]! + high) | 0;
  }
  let [a, b, c, d, e, f, g, h] = sums as [number, number, number, number, number, number, number, number];
  for (let at = 0; at < 64; at += 1) {
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[at]! + words[at]!) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => (sums[at] = (sums[at]! + word) | 0));
}
