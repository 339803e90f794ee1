// A text that a spreadsheet would run as a formula gets one apostrophe before it, and so does text that begins with one, as in exported files.
const RUNS = /^['=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[-+]?[\d.,]+%?$/;

export const defused = (text: string): string => (RUNS.test(text) && !NUMBER.test(text) ? `'${text}` : text);
