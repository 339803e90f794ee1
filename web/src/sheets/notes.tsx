// What reading did to a sheet, in words: nothing is changed silently.
import { s, noted } from "./words";
import type { SheetView } from "./shapes";

const SHOWN = 12;
const EXAMPLES = 3;

export function Notes({ sheet, open }: { sheet: SheetView; open: (column: number) => void }) {
  const doubtful = sheet.columns.filter((column) => column.warnings.length);
  const count = sheet.notes.length + (doubtful.length ? 1 : 0);
  const first = sheet.notes.map((note) => noted(note.code, note.count)).join(s("listMark"));
  return (
    <details class="sheet-notes">
      <summary><strong>{s("notes")}</strong> <span class="quiet">{count ? first : s("notesNone")}</span></summary>
      <ul>
        {sheet.headerRow !== null && <li>{s("headerAt", { n: sheet.headerRow })}</li>}
        {sheet.notes.map((note) => (
          <li key={note.code}>
            {noted(note.code, note.count)}
            {note.examples.length > 0 && <span class="quiet small"> {s("examples", { what: note.examples.slice(0, EXAMPLES).join(s("listMark")) })}</span>}
          </li>
        ))}
        {doubtful.length > 0 && (
          <li>
            {s("columnsWarnN", { names: "" })}
            {doubtful.slice(0, SHOWN).map((column) => <button key={column.index} type="button" class="plain" onClick={() => open(column.index)}>{column.name}</button>)}
            {doubtful.length > SHOWN && <span class="quiet small">{s("others", { n: doubtful.length - SHOWN })}</span>}
          </li>
        )}
      </ul>
    </details>
  );
}
