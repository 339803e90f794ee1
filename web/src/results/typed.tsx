// A value as its field wants it: a number, a choice by its name, yes or no, a text.
import type { TemplateField } from "../shapes";
import { choice, t } from "../words";
import { entered } from "./decide_form";

export function asText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(asText).join("; ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The value of what was written; null where nothing was. */
export function parsed(field: TemplateField, written: string): { value: unknown; wrong?: string } {
  const text = written.trim();
  if (!text) return { value: null };
  if (field.type === "boolean") return { value: text === "true" };
  if (field.type === "[string]") return { value: text.split(/\s*[;；\n]\s*/).filter(Boolean) };
  if (field.type !== "integer" && field.type !== "number") return { value: text };
  const isWhole = field.type === "integer";
  // 1,234 and 1 234 are one number to whoever writes them; what stands for the point is not guessed.
  const number = Number(text.replace(/(?<=\d)[,\s](?=\d{3}\b)/g, ""));
  if (!Number.isFinite(number) || (isWhole && !Number.isSafeInteger(number))) return { value: null, wrong: t(isWhole ? "wholeNumberOnly" : "numberOnly") };
  return { value: number };
}

type Props = { field: TemplateField; name: string; label: string; text: string; wrong: string; set: (text: string) => void; submit: () => void };

const FEW = 7;

export function Typed({ field, name, label, text, wrong, set, submit }: Props) {
  const choices = field.type === "boolean" ? ["true", "false"] : field.type === "enum" ? [...field.options] : [];
  const said = (each: string) => (field.type === "boolean" ? t(each === "true" ? "yes" : "no") : choice(field, each));
  const told = wrong && <span class="wrong small" role="alert">{wrong}</span>;
  if (choices.length && choices.length <= FEW) {
    return (
      <fieldset class="typed choices">
        <legend>{label}</legend>
        {choices.map((each) => <label key={each}><input type="radio" name={name} value={each} checked={text === each} onChange={() => set(each)} onKeyDown={(event) => entered(event, submit)} /> {said(each)}</label>)}
        {told}
      </fieldset>
    );
  }
  const more = { name, value: text, "aria-invalid": wrong !== "" };
  const isNumber = field.type === "integer" || field.type === "number";
  return (
    <label class="typed">
      {label}
      {choices.length ? (
        <select {...more} onChange={(event) => set(event.currentTarget.value)}>
          <option value="">{t("chooseOne")}</option>
          {choices.map((each) => <option key={each} value={each}>{said(each)}</option>)}
        </select>
      ) : isNumber ? (
        <input {...more} type="text" inputMode={field.type === "integer" ? "numeric" : "decimal"} autocomplete="off" onInput={(event) => set(event.currentTarget.value)} />
      ) : (
        <textarea {...more} rows={text.length > 60 ? 3 : 1} maxLength={4000} onInput={(event) => set(event.currentTarget.value)} onKeyDown={(event) => entered(event, submit)} />
      )}
      {told}
    </label>
  );
}
