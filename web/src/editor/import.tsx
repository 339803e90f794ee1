// Fields out of a CSV form: read here, shown with what is wrong by line, and added only when somebody says so.
import { useState } from "preact/hooks";
import { type Read, read } from "./csv";
import { type Draft, inSections } from "./draft";
import { type EditorWord, e } from "./words";

const SHOWN = 20;
/** A form; no file of data is as large. */
const BYTES_MAX = 1_000_000;

export function ImportCsv({ draft, change }: { draft: Draft; change: (draft: Draft) => void }) {
  const [found, set] = useState<Read | null>(null);
  const open = async (file: File | undefined) => {
    if (!file) return;
    const text = file.size > BYTES_MAX ? null : await file.text().catch(() => null);
    set(text === null || text.includes("\0") ? { fields: [], wrong: [{ line: 1, why: "csvUnread", what: "" }] } : read(text, draft));
  };
  const add = () => {
    change({ ...draft, fields: inSections([...draft.fields, ...(found?.fields ?? [])]) });
    set(null);
  };
  const n = found?.fields.length ?? 0;
  return (
    <details class="panel form">
      <summary>{e("csv")}</summary>
      <p class="quiet small">{e("csvWhy")}</p>
      <input type="file" aria-label={e("csv")} accept=".csv,.tsv,.txt,text/csv" onChange={(event) => void open(event.currentTarget.files?.[0])} />
      {found && (
        <div role="status">
          <p>{e("csvFound", { n })}</p>
          {found.wrong.length > 0 && <p class="wrong small">{e("csvWrongN", { n: found.wrong.length })}</p>}
          <ul class="small wrong">
            {found.wrong.slice(0, SHOWN).map(({ line, why, what }) => <li key={`${line} ${why}`}>{e("csvLine", { line, why: e(why as EditorWord), what })}</li>)}
          </ul>
        </div>
      )}
      {n > 0 && <div class="actions"><button type="button" class="first" onClick={add}>{e("csvAdd", { n })}</button></div>}
    </details>
  );
}
