// One field's form: labels, question, kind of answer, choices with their words, columns of a table; each problem at its place.
import { useId, useState } from "preact/hooks";
import { doubt, shown, state } from "../results/values";
import type { Result } from "../shapes";
import { t, type Word } from "../words";
import { type Draft, type Field, MOST, PART_TYPES, type Part, TYPES, chooses, keyOf, inSections, sectionsOf } from "./draft";
import { sectionName } from "./list";
import { e } from "./words";

type Props = { draft: Draft; field: Field; change: (draft: Draft) => void; told: (at: string) => string; tried: Result | null };

export const kindWord = (type: string): string => t(({ "[string]": "type_list", "[object]": "type_table" } as Record<string, Word>)[type] ?? (`type_${type}` as Word));

export function FieldForm({ draft, field, change, told, tried }: Props) {
  const put = (next: Partial<Field>) => change({ ...draft, fields: inSections(draft.fields.map((each) => (each.id === field.id ? { ...each, ...next } : each))) });
  const own = (of: string) => told(`${field.id}.${of}`);
  // What only the service refuses, of parts that have no place of their own for it.
  const elsewhere = ["description", "section", "type", "cues"].map(own).find(Boolean);
  // A key follows its label until somebody has saved it or said another.
  const [isNew] = useState(() => field.name.startsWith("new_field") || field.name.startsWith("field"));
  const relabel = (label: string) => {
    const taken = new Set(draft.fields.filter((each) => each.id !== field.id).map((each) => each.name));
    put(isNew ? { label, name: keyOf(label, taken) } : { label });
  };
  return (
    <section class="panel form" aria-label={field.label}>
      {tried && <Answer field={field} tried={tried} />}
      {elsewhere && <p class="wrong small" role="alert">{elsewhere}</p>}
      <div class="form-pair">
        <Line label={e("label")} value={field.label} wrong={own("label")} set={relabel} />
        <Line label={e("labelZh")} value={field.labelZh} wrong={own("labelZh")} set={(labelZh) => put({ labelZh })} lang="zh-Hans" />
      </div>
      <label>
        {e("question")}
        <textarea rows={3} maxLength={MOST.description} value={field.description} aria-describedby="question-why" onInput={(event) => put({ description: event.currentTarget.value })} />
      </label>
      <p id="question-why" class="quiet small">{e("questionWhy")}</p>
      <div class="form-pair">
        <label>
          {e("type")}
          <select value={field.type} onChange={(event) => put({ type: event.currentTarget.value })}>
            {TYPES.map((each) => <option key={each} value={each}>{kindWord(each)}</option>)}
          </select>
        </label>
        <label>
          {e("section")}
          <select value={field.section} onChange={(event) => put({ section: event.currentTarget.value })}>
            {sectionsOf(draft.fields).map((each) => <option key={each} value={each}>{sectionName(each)}</option>)}
          </select>
        </label>
      </div>
      {chooses(field.type) && <Choices field={field} put={put} wrong={own("options")} />}
      {field.type === "boolean" && (
        <fieldset>
          <legend>{e("cues")}</legend>
          {(["true", "false"] as const).map((choice) => <Cues key={choice} label={e(choice === "true" ? "yes" : "no")} choice={choice} field={field} put={put} />)}
          <p class="quiet small">{e("cuesWhy")}</p>
        </fieldset>
      )}
      {field.type === "[object]" && <Parts field={field} put={put} told={told} />}
      <Line label={e("key")} value={field.name} wrong={own("name")} set={(name) => put({ name })} help={e("keyWhy")} />
    </section>
  );
}

type LineProps = { label: string; value: string; set: (text: string) => void; wrong?: string; help?: string; lang?: string; most?: number };

function Line({ label, value, set, wrong = "", help = "", lang, most = MOST.label }: LineProps) {
  const id = useId();
  return (
    <div class="line">
      <label>
        {label}
        <input value={value} maxLength={most} lang={lang} aria-invalid={Boolean(wrong)} aria-describedby={wrong || help ? id : undefined} onInput={(event) => set(event.currentTarget.value)} />
      </label>
      {(wrong || help) && <p id={id} class={`small ${wrong ? "wrong" : "quiet"}`} role={wrong ? "alert" : undefined}>{wrong || help}</p>}
    </div>
  );
}

const split = (text: string) => text.split(/[,，、]/).map((each) => each.trimStart());

function Cues({ label, choice, field, put }: { label: string; choice: string; field: Field; put: (next: Partial<Field>) => void }) {
  // What is typed stays as it is typed; what is kept are its words.
  const [text, setText] = useState((field.cues[choice] ?? []).join(", "));
  const set = (typed: string) => {
    setText(typed);
    put({ cues: { ...field.cues, [choice]: split(typed).filter((each) => each.trim()) } });
  };
  return <label>{label}<input value={text} placeholder={e("cues")} onInput={(event) => set(event.currentTarget.value)} /></label>;
}

function Choices({ field, put, wrong }: { field: Field; put: (next: Partial<Field>) => void; wrong: string }) {
  const set = (at: number, option: string) => {
    const [before, options] = [field.options[at] ?? "", field.options.map((each, place) => (place === at ? option : each))];
    const { [before]: words = [], ...rest } = field.cues;
    const { [before]: chinese = "", ...others } = field.optionsZh ?? {};
    put({ options, cues: words.length ? { ...rest, [option]: words } : rest, optionsZh: chinese ? { ...others, [option]: chinese } : others });
  };
  const remove = (at: number) => put({ options: field.options.filter((_, place) => place !== at) });
  const up = (at: number) => put({ options: field.options.map((each, place) => (place === at - 1 ? field.options[at] : place === at ? field.options[at - 1] : each) as string) });
  return (
    <fieldset class="choices">
      <legend>{e("choices")}</legend>
      {wrong && <p class="wrong small" role="alert">{wrong}</p>}
      {field.type === "[string]" && !field.options.length && <p class="quiet small">{e("optionalChoices")}</p>}
      {field.options.map((option, at) => (
        <div key={at} class="choice">
          <input aria-label={e("choice", { n: at + 1 })} value={option} maxLength={MOST.option} onInput={(event) => set(at, event.currentTarget.value)} />
          <input aria-label={e("choiceZh", { n: at + 1 })} placeholder={e("choiceZhShort")} lang="zh-Hans" value={field.optionsZh?.[option] ?? ""} disabled={!option.trim()} maxLength={MOST.option} onInput={(event) => put({ optionsZh: { ...field.optionsZh, [option]: event.currentTarget.value } })} />
          <CuesOf key={`${at}/${field.options.length}`} n={at + 1} option={option} field={field} put={put} />
          <button type="button" class="icon" disabled={at === 0} aria-label={e("choiceUp", { n: at + 1 })} onClick={() => up(at)}>↑</button>
          <button type="button" class="icon" aria-label={e("removeChoice", { n: at + 1 })} onClick={() => remove(at)}>×</button>
        </div>
      ))}
      <button type="button" class="plain" onClick={() => put({ options: [...field.options, ""] })}>{e("addChoice")}</button>
      {field.options.length > 0 && <p class="quiet small">{e("cuesWhy")}</p>}
    </fieldset>
  );
}

function CuesOf({ n, option, field, put }: { n: number; option: string; field: Field; put: (next: Partial<Field>) => void }) {
  const kept = (field.cues[option] ?? []).join(", ");
  const [text, setText] = useState(kept);
  const shownText = split(text).filter((each) => each.trim()).join(", ") === kept ? text : kept;
  const set = (typed: string) => {
    setText(typed);
    put({ cues: { ...field.cues, [option]: split(typed).filter((each) => each.trim()) } });
  };
  return <input aria-label={`${e("choice", { n })}: ${e("cues")}`} placeholder={e("cues")} disabled={!option.trim()} value={shownText} onInput={(event) => set(event.currentTarget.value)} />;
}

function Parts({ field, put, told }: { field: Field; put: (next: Partial<Field>) => void; told: Props["told"] }) {
  const set = (at: number, next: Partial<Part>) => put({ parts: field.parts.map((each, place) => (place === at ? { ...each, ...next } : each)) });
  const add = () => {
    const name = keyOf("part", new Set(field.parts.map((each) => each.name)));
    put({ parts: [...field.parts, { name, label: `${e("newPart")} ${field.parts.length + 1}`, labelZh: "", description: "", type: "string", options: [], optionsZh: {} }] });
  };
  const own = (at: number, of: string) => told(`${field.id}.parts.${at}.${of}`);
  return (
    <fieldset class="parts">
      <legend>{e("parts")}</legend>
      {told(`${field.id}.parts`) && <p class="wrong small" role="alert">{told(`${field.id}.parts`)}</p>}
      {field.parts.map((part, at) => (
        <div key={at} class="part">
          <div class="form-pair">
            <Line label={e("label")} value={part.label} wrong={own(at, "label")} set={(label) => set(at, { label })} />
            <Line label={e("labelZh")} value={part.labelZh} wrong={own(at, "labelZh")} set={(labelZh) => set(at, { labelZh })} lang="zh-Hans" />
          </div>
          <div class="form-pair">
            <Line label={e("key")} value={part.name} wrong={own(at, "name")} set={(name) => set(at, { name })} />
            <label>
              {e("type")}
              <select value={part.type} onChange={(event) => set(at, { type: event.currentTarget.value })}>
                {PART_TYPES.map((each) => <option key={each} value={each}>{kindWord(each)}</option>)}
              </select>
            </label>
          </div>
          <Line label={e("question")} value={part.description} most={MOST.description} set={(description) => set(at, { description })} />
          {chooses(part.type) && <Line label={e("partChoices")} most={2_000} value={part.options.join(", ")} wrong={own(at, "options")} set={(text) => set(at, { options: split(text) })} />}
          <button type="button" class="plain careful" onClick={() => put({ parts: field.parts.filter((_, place) => place !== at) })}>{e("removePart", { n: at + 1 })}</button>
        </div>
      ))}
      <button type="button" class="plain" onClick={add}>{e("addPart")}</button>
    </fieldset>
  );
}

/** What the paper that was tried says, with its quote and how far it can be trusted. */
function Answer({ field, tried }: { field: Field; tried: Result }) {
  const value = tried.extractedData?.fields?.[field.name];
  const known = state(value);
  return (
    <div class={`editor-answer ${known}`} role="status">
      <span class="quiet small">{e("answer")} · {t(known)}</span>
      <strong>{shown(value)}</strong>
      {value?.quote && <q class="small" lang="en">{value.quote}</q>}
      {value && doubt(value) && <span class="small">{doubt(value)}</span>}
    </div>
  );
}
