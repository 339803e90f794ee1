// What somebody has selected in a paper, as a quote: in the text that was read by its place; in the letters of the PDF, which break
// anywhere, by its letters and digits, looked up in the text that was read.
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Places count characters of the page's text; none where the selection is not found in it. */
export type Picked = { quote: string; page: number; start?: number; end?: number };

const even = (text: string) => text.replace(/\s+/g, " ").trim();
const KEPT_MS = 400;
/** A longer one is no quote; the API takes no longer one. */
const MOST = 2000;

/** The quote selected now within a box. It stays for a moment, so that pressing a button, which takes the selection away, finds it. */
export function usePicked(box: RefObject<HTMLElement>, text: string, page: number): Picked | null {
  const [picked, set] = useState<Picked | null>(null);
  useEffect(() => {
    let timer = 0;
    const look = () => {
      clearTimeout(timer);
      const found = read(box.current, text, page);
      if (found) set(found);
      else timer = setTimeout(() => set(null), KEPT_MS);
    };
    document.addEventListener("selectionchange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("selectionchange", look);
    };
  }, [text, page]);
  useEffect(() => set(null), [page]);
  return picked;
}

function read(box: HTMLElement | null, text: string, page: number): Picked | null {
  const selection = getSelection();
  const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
  if (!box || !range || range.collapsed || !box.contains(range.commonAncestorContainer)) return null;
  const quote = [...even(selection?.toString() ?? "")].slice(0, MOST).join("");
  if (!/[\p{L}\p{N}]/u.test(quote)) return null;
  const pane = box.querySelector(".page-text");
  const whole = pane ? within(pane, range) : byLetters(text, quote);
  const place = whole && { start: whole.start, end: Math.min(whole.end, whole.start + MOST) };
  return { quote: place ? even([...text].slice(place.start, place.end).join("")) : quote, page, ...place };
}

function within(pane: Element, range: Range): { start: number; end: number } | null {
  if (!pane.contains(range.startContainer) || !pane.contains(range.endContainer)) return null;
  const before = document.createRange();
  before.selectNodeContents(pane);
  before.setEnd(range.startContainer, range.startOffset);
  const chosen = range.toString();
  // Offsets count characters; JavaScript's own count halves of them beyond U+FFFF.
  const start = [...before.toString()].length + [...chosen].length - [...chosen.trimStart()].length;
  return { start, end: start + [...chosen.trim()].length };
}

/** Where the letters and digits of a quote stand in a text; null where they do not, or are too few to say. */
export function byLetters(text: string, quote: string): { start: number; end: number } | null {
  const places: number[] = [];
  let letters = "";
  [...text].forEach((letter, at) => {
    for (const each of plain(letter)) {
      letters += each;
      for (let unit = 0; unit < each.length; unit += 1) places.push(at);
    }
  });
  const wanted = plain(quote);
  const found = wanted.length < 4 ? -1 : letters.indexOf(wanted);
  return found < 0 ? null : { start: places[found]!, end: places[found + wanted.length - 1]! + 1 };
}

const plain = (text: string) => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
