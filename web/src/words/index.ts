// The language, remembered; a word in it, with its places filled; dates and numbers as that language writes them.
import { keep, kept } from "../kept";
import { useOutside } from "../outside";
import { choiceIn } from "./choices";
import { en, type Word } from "./en";
import { whyUnread as unread } from "./papers";
import { refused as byKind } from "./problems";
import { told as inChinese } from "./told";
import { zh } from "./zh";

export type { Word };
export type Language = "en" | "zh";
const KEPT = "sheaf.language";
const WORDS = { en, zh };
const watchers = new Set<() => void>();

function first(): Language {
  const before = kept(KEPT);
  if (before === "en" || before === "zh") return before;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

let language = first();
const TAGS = { en: "en", zh: "zh-Hans" };
document.documentElement.lang = TAGS[language];

export function speak(chosen: Language): void {
  keep(KEPT, chosen);
  turn(chosen);
}

function turn(chosen: Language): void {
  language = chosen;
  document.documentElement.lang = TAGS[chosen];
  for (const told of watchers) told();
}

addEventListener("storage", (event) => {
  if (event.key === KEPT) turn(first());
});

export function useLanguage(): Language {
  return useOutside(
    () => language,
    (told) => {
      watchers.add(told);
      return () => watchers.delete(told);
    },
  );
}

/** What the API says in English only, in the language that is spoken, where it is known. */
export const told = (name: string, english: string): string => inChinese(language === "zh", name, english);

/** A choice of a field in words. */
export const choice = (field: Parameters<typeof choiceIn>[1], code: string): string => choiceIn(language === "zh", field, code);

/** Why a paper cannot be read, and the language that says it. */
export function whyUnread(english: string): { text: string; lang: string } {
  const text = unread(language === "zh", english);
  return { text, lang: text === english ? "en" : TAGS[language] };
}

/** Why the API refused, for people. */
export const refused = (kind: string, detail: string): string => byKind(language === "zh", kind, detail);

type Places = Record<string, string | number>;

/** How words are said that have both languages. */
export function spoken<W extends string>(words: Record<Language, Record<W, string>>) {
  return (word: W, places: Places = {}): string =>
    words[language][word].replace(/{(\w+)}/g, (_, name: string) => {
      const place = places[name] ?? "";
      return typeof place === "number" ? number(place) : place;
    });
}

export const t = spoken<Word>(WORDS);

/** Whether this is the note on a cell that was marked as checked to show what that looks like, in whichever language. */
export const isSampleMark = (comment: string): boolean => comment === en.sampleMark || comment === zh.sampleMark;

export function many(n: number, one: Word, more: Word): string {
  return t(n === 1 ? one : more, { n });
}

export const papers = (n: number): string => many(n, "paperCount", "papersCount");

/** What has a name in both languages. */
export function named(thing: { label: string; labelZh: string }): string {
  return (language === "zh" && thing.labelZh) || thing.label;
}

/** The language as this browser's owner writes it: en-GB, zh-TW. */
function region(): string {
  return navigator.languages.find((each) => each.toLowerCase().startsWith(language)) ?? language;
}

export function instant(text: string): string {
  return new Intl.DateTimeFormat(region(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));
}

/** A day without its time, as `2026-11-18`. */
export function day(text: string): string {
  return new Intl.DateTimeFormat(region(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(text));
}

export function clock(text: string): string {
  return new Intl.DateTimeFormat(region(), { timeStyle: "short" }).format(new Date(text));
}

export function duration(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  const [value, unit] = minutes < 1 ? [minutes * 60, "second"] : minutes < 90 ? [minutes, "minute"] : [minutes / 60, "hour"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(Math.max(1, Math.round(value)));
}

/** A short while: tenths of a second below ten. */
export function seconds(milliseconds: number): string {
  if (milliseconds >= 90_000) return duration(milliseconds);
  const value = Math.max(0, milliseconds) / 1_000;
  return new Intl.NumberFormat(language, { style: "unit", unit: "second", unitDisplay: "narrow", maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}

export const number = (value: number): string => new Intl.NumberFormat(language).format(value);

/** Two digits after the point, or so many that a small sum is not nothing. */
export function dollars(value: number): string {
  const digits = value > 0 && value < 0.1 ? { maximumSignificantDigits: 2 } : {};
  return new Intl.NumberFormat(language, { style: "currency", currency: "USD", ...digits }).format(value);
}

export function bytes(size: number): string {
  const [value, unit] = size < 1000 ? [size, "byte"] : size < 1_000_000 ? [size / 1000, "kilobyte"] : [size / 1_000_000, "megabyte"];
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}
