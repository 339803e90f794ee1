// A text that a spreadsheet would run as a formula, made a text: an apostrophe before it, as spreadsheets themselves write one.
const RUNS = /^['=+\-@\t\r＝＋－＠]/;
const NUMBER = /^[-+]?[\d.,]+%?$/;

export const defused = (text: string): string => (RUNS.test(text) && !NUMBER.test(text) ? `'${text}` : text);
