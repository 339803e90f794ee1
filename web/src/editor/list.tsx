// Sections and fields in their order: chosen, moved by buttons, by Alt and the arrows, or dragged; added, removed, put back.
import { useRef, useState } from "preact/hooks";
import { shown, state } from "../results/values";
import type { Result, TemplateField } from "../shapes";
import { named, t } from "../words";
import { sectionLabel } from "../templates";
import { type Draft, type Field, blank, dropped, inSections, moved, sectionMoved, sectionsOf } from "./draft";
import { e } from "./words";

type Props = {
  draft: Draft;
  change: (draft: Draft) => void;
  chosen: number | null;
  choose: (id: number) => void;
  told: (at: string) => string;
  tried: Result | null;
};

const KNOWN: Record<string, [string, string]> = {};

/** Labels of the sections that a template knows, remembered for as long as it is edited. */
export function know(fields: TemplateField[]): void {
  for (const field of fields) if (field.sectionLabel) KNOWN[field.section] = [field.sectionLabel, field.sectionLabelZh];
}

export function sectionName(section: string): string {
  if (!section) return e("noSection");
  const [english, chinese] = KNOWN[section] ?? [section, section];
  return sectionLabel({ section, sectionLabel: english, sectionLabelZh: chinese } as TemplateField);
}

export function FieldList({ draft, change, chosen, choose, told, tried }: Props) {
  const dragged = useRef<number | null>(null);
  const [gone, setGone] = useState<{ field: Field; at: number } | null>(null);
  const put = (fields: Field[]) => change({ ...draft, fields });
  const add = (section: string) => {
    const count = draft.fields.filter((each) => each.label.startsWith(e("newField"))).length;
    const field = blank(draft, section, count ? `${e("newField")} ${count + 1}` : e("newField"));
    put(inSections([...draft.fields, field]));
    choose(field.id);
  };
  const remove = (field: Field) => {
    setGone({ field, at: draft.fields.indexOf(field) });
    const next = draft.fields[draft.fields.indexOf(field) + 1] ?? draft.fields[draft.fields.indexOf(field) - 1];
    put(draft.fields.filter((each) => each !== field));
    if (field.id === chosen && next) choose(next.id);
  };
  const back = () => {
    if (gone) put(inSections([...draft.fields.slice(0, gone.at), gone.field, ...draft.fields.slice(gone.at)]));
    setGone(null);
  };
  const keyed = (event: KeyboardEvent, field: Field) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined;
    if (!by || !event.altKey) return;
    event.preventDefault();
    put(moved(draft.fields, field.id, by));
  };
  return (
    <nav class="panel editor-list" aria-label={e("fieldsList")}>
      {gone && <p class="small editor-gone" role="status">{e("removed", { name: gone.field.label })} <button type="button" class="plain" onClick={back}>{e("putBack")}</button></p>}
      {sectionsOf(draft.fields).map((section) => (
        <section key={section}>
          <SectionHead draft={draft} section={section} put={put} />
          <ul>
            {draft.fields.filter((each) => each.section === section).map((field) => (
              <li
                key={field.id}
                class={field.id === chosen ? "chosen" : ""}
                draggable
                onDragStart={() => (dragged.current = field.id)}
                onDragOver={(event) => dragged.current !== null && event.preventDefault()}
                onDrop={() => {
                  if (dragged.current !== null) put(dropped(draft.fields, dragged.current, field.id));
                  dragged.current = null;
                }}
              >
                <button type="button" class="editor-field" aria-current={field.id === chosen ? "true" : undefined} onClick={() => choose(field.id)} onKeyDown={(event) => keyed(event, field)}>
                  <span>{named(field) || "–"}</span>
                  {isWrong(field, told) && <span class="wrong small" aria-hidden="true">!</span>}
                  {tried && <Tried field={field} tried={tried} />}
                </button>
                {field.id === chosen && (
                  <span class="editor-moves">
                    <button type="button" class="icon" aria-label={e("up")} title={e("up")} onClick={() => put(moved(draft.fields, field.id, -1))}>↑</button>
                    <button type="button" class="icon" aria-label={e("down")} title={e("down")} onClick={() => put(moved(draft.fields, field.id, 1))}>↓</button>
                    <button type="button" class="icon" aria-label={e("removeField")} title={e("removeField")} onClick={() => remove(field)}>×</button>
                  </span>
                )}
              </li>
            ))}
          </ul>
          <button type="button" class="plain small" onClick={() => add(section)}>{e("addField")}</button>
        </section>
      ))}
      <button type="button" onClick={() => add(freeSection(draft))}>{e("addSection")}</button>
    </nav>
  );
}

const PLACES = ["label", "labelZh", "name", "options", "parts"];
const isWrong = (field: Field, told: Props["told"]): boolean =>
  PLACES.some((of) => told(`${field.id}.${of}`)) || field.parts.some((_, at) => PLACES.some((of) => told(`${field.id}.parts.${at}.${of}`)));

function freeSection(draft: Draft): string {
  const taken = new Set(draft.fields.map((each) => each.section));
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? e("newSection") : `${e("newSection")} ${n}`;
    if (!taken.has(name)) return name;
  }
}

function SectionHead({ draft, section, put }: { draft: Draft; section: string; put: (fields: Field[]) => void }) {
  const [naming, setNaming] = useState<string | null>(null);
  const name = sectionName(section);
  const order = sectionsOf(draft.fields);
  const rename = () => {
    const next = (naming ?? "").trim();
    if (next) put(inSections(draft.fields.map((each) => (each.section === section ? { ...each, section: next } : each))));
    setNaming(null);
  };
  if (naming !== null) {
    return (
      <form class="editor-naming" onSubmit={(event) => (event.preventDefault(), rename())} onKeyDown={(event) => event.key === "Escape" && setNaming(null)}>
        <input autofocus aria-label={e("sectionName")} maxLength={80} value={naming} onInput={(event) => setNaming(event.currentTarget.value)} />
        <button type="submit">{t("rename")}</button>
      </form>
    );
  }
  return (
    <div class="editor-section">
      <h2>{name}</h2>
      <span>
        <button type="button" class="icon" aria-label={e("renameSection", { name })} title={e("renameSection", { name })} onClick={() => setNaming(name)}>✎</button>
        <button type="button" class="icon" disabled={order[0] === section} aria-label={e("sectionUp", { name })} onClick={() => put(sectionMoved(draft.fields, section, -1))}>↑</button>
        <button type="button" class="icon" disabled={order.at(-1) === section} aria-label={e("sectionDown", { name })} onClick={() => put(sectionMoved(draft.fields, section, 1))}>↓</button>
      </span>
    </div>
  );
}

/** What the paper that was tried says of it. */
function Tried({ field, tried }: { field: Field; tried: Result }) {
  const value = tried.extractedData?.fields?.[field.name];
  return <span class={`quiet small editor-tried ${state(value)}`}>{value && value.state !== "not_attempted" ? shown(value) : t("not_attempted")}</span>;
}
