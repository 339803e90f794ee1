// What a person writes on a cell: a value typed as its field wants it, the quote it rests on, or a note.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Result, TemplateField } from "../shapes";
import { named, t } from "../words";
import { type Part, type Verb, holding, parts } from "./decided";
import { type Wanted, newId } from "./deciding";
import type { Picked } from "./picking";
import { Typed, asText, parsed } from "./typed";
import { entries, evidence, plain } from "./values";

type Make = (verb: Verb, address: string, more?: Partial<Wanted>) => Wanted;
type Props = {
  row: Result;
  field: TemplateField;
  /** The entry that is corrected. */
  part: Part | undefined;
  isNew: boolean;
  picked: Picked | null;
  pick: (picked: Picked | null) => void;
  make: Make;
  save: (wanted: Wanted[]) => void;
  close: () => void;
};
/** A field of its own, or the members of an entry, by name. */
type Texts = Record<string, string>;

const token = () => newId().replaceAll("-", "").slice(0, 12);
const one = (field: TemplateField): TemplateField => (field.type === "[string]" ? { ...field, type: field.options.length ? "enum" : "string" } : field);

/** Of a new entry so many members are asked for at once: the others are opened. */
const FIRST = 2;
const isChoice = (field: TemplateField) => field.type === "enum" || field.type === "boolean";

export function CorrectForm({ row, field, part, isNew, picked, pick, make, save, close }: Props) {
  // Choices have a line of their own, after what can stand side by side.
  const members = field.type === "[object]" ? [...(field.fields ?? [])].sort((a, b) => Number(isChoice(a)) - Number(isChoice(b))) : null;
  const value = row.extractedData?.fields?.[field.name];
  const before = isNew ? null : part ? part.value : (holding(row, field.name)?.value ?? value?.value);
  const first: Texts = members ? Object.fromEntries(members.map((each) => [each.name, asText((before as Record<string, unknown> | null)?.[each.name])])) : { "": asText(before) };
  const [texts, setTexts] = useState(first);
  const [wrong, setWrong] = useState<Texts>({});
  const [added] = useState(token);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("input:checked, textarea, input, select")?.focus({ preventScroll: true }), []);
  const address = isNew ? `${field.name}/+${added}` : (part?.address ?? field.name);
  const fields = members ?? [one(field)];
  const name = (each: TemplateField) => (members ? each.name : "");
  const submit = () => {
    const read = fields.map((each) => ({ each, ...parsed(each, texts[name(each)] ?? "") }));
    const bad = Object.fromEntries(read.flatMap(({ each, wrong: why }) => (why ? [[name(each), why]] : [])));
    const filled = read.filter(({ value: found }) => found !== null);
    if (!filled.length) bad[name(fields[0]!)] ??= t("valueMissing");
    setWrong(bad);
    if (Object.keys(bad).length) return form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(Object.keys(bad)[0]!)}"]`)?.focus();
    const quoted = picked ?? {};
    // A list in which nothing was found is one cell: who adds to it has looked at it.
    const isEmpty = isNew && !parts(row, field).some((each) => each.entry);
    const looked = isEmpty && holding(row, field.name)?.verb !== "agree" ? [make("agree", field.name)] : [];
    if (!members) return save([make("correct", address, { value: filled[0]?.value, ...quoted }), ...looked]);
    const changed = read.filter(({ each }) => (texts[each.name] ?? "") !== (first[each.name] ?? ""));
    const own = (part?.entry?.value ?? {}) as Texts;
    const decided = changed.map(({ each, value: found }) => {
      const where = `${address}/${each.name}`;
      // What only a person has given is taken back; what the engine has said is not in the paper.
      return found === null ? make(each.name in own ? "absent" : "undo", where) : make("correct", where, { value: found, ...quoted });
    });
    save(part?.entry && holding(row, address)?.verb !== "agree" ? [...decided, make("agree", address)] : [...decided, ...looked]);
  };
  const set = (each: TemplateField) => (text: string) => setTexts((now) => ({ ...now, [name(each)]: text }));
  const typed = (each: TemplateField) => <Typed key={each.name} field={each} name={name(each)} label={members ? named(each) : t("yourValue")} text={texts[name(each)] ?? ""} wrong={wrong[name(each)] ?? ""} set={set(each)} submit={submit} />;
  const open = members?.filter((each) => first[each.name] || (isNew && (field.fields ?? []).indexOf(each) < FIRST)) ?? [];
  const rest = members?.filter((each) => !open.includes(each)) ?? [];
  const says = value?.state === "contradictory" ? entries(value) : [];
  return (
    <form ref={form} class="decide-form" aria-label={`${t(isNew ? "newEntry" : "correct")}: ${named(field)}`} onSubmit={(event) => (event.preventDefault(), submit())} onKeyDown={(event) => escaped(event, close)}>
      {says.length > 0 && (
        <div class="actions">
          {says.map((each, at) => <button key={at} type="button" onClick={() => (setTexts({ "": asText(each.value) }), pick(quoteOf(each)))}>{t("useThis", { value: plain(each, field) })}</button>)}
        </div>
      )}
      <div class={members ? "typed-members" : ""}>{(members ? open : fields).map(typed)}</div>
      {rest.length > 0 && <details><summary>{t("moreParts", { n: rest.length })}</summary><div class="typed-members">{rest.map(typed)}</div></details>}
      <Quote picked={picked} pick={pick} engine={isNew ? null : quoteOf(part?.entry ?? evidence(value)[0])} />
      <div class="actions">
        <button type="submit" class="first">{t("save")}</button>
        <button type="button" onClick={close}>{t("cancel")}</button>
      </div>
    </form>
  );
}

const QUOTE_MAX = 2_000;

type Quoted = { quote?: string | null; page?: number | null; start?: number | null; end?: number | null };

function quoteOf(found: Quoted | undefined): Picked | null {
  if (!found?.quote || !found.page || found.quote.length > QUOTE_MAX) return null;
  const isPlaced = typeof found.start === "number" && typeof found.end === "number";
  return { quote: found.quote, page: found.page, ...(isPlaced ? { start: found.start!, end: found.end! } : {}) };
}

function Quote({ picked, pick, engine }: { picked: Picked | null; pick: (picked: Picked | null) => void; engine: Picked | null }) {
  return (
    <div class="chosen-quote small">
      <b>{t("yourQuote")}</b>
      {picked ? <span><q>{picked.quote}</q> · {t("pageN", { n: picked.page })}</span> : <span class="quiet">{t("quoteHow")}</span>}
      {picked && <button type="button" class="plain" onClick={() => pick(null)}>{t("dropQuote")}</button>}
      {!picked && engine && <button type="button" class="plain" onClick={() => pick(engine)}>{t("keepQuote")}</button>}
    </div>
  );
}

export function NoteForm({ before, save, close }: { before: string; save: (text: string) => void; close: () => void }) {
  const [text, set] = useState(before);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const submit = () => text.trim() && save(text.trim());
  return (
    <form class="decide-form" aria-label={t("note")} onSubmit={(event) => (event.preventDefault(), submit())} onKeyDown={(event) => escaped(event, close)}>
      <label>
        {t("yourNote")}
        <textarea ref={box} rows={2} maxLength={2000} value={text} onInput={(event) => set(event.currentTarget.value)} onKeyDown={(event) => entered(event, submit)} />
        <span class="quiet small">{t("noteHelp")}</span>
      </label>
      <div class="actions">
        <button type="submit" class="first" disabled={!text.trim()}>{t("save")}</button>
        <button type="button" onClick={close}>{t("cancel")}</button>
      </div>
    </form>
  );
}

/** Escape leaves the form, and not the cell. */
function escaped(event: KeyboardEvent, close: () => void): void {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  close();
}

export function entered(event: KeyboardEvent, submit: () => void): void {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  submit();
}
