// The menu of a table's columns: presets, and for each column whether it is shown, its place, its width, and whether it stays in view.
import { Menu } from "../pieces";
import type { TemplateField } from "../shapes";
import { sections } from "../templates";
import { named, t, type Word } from "../words";
import { type Look, PRESETS, type Preset, STEP, arrange, moved, preset, resized, toggled } from "./columns";
import { width } from "./values";

const WORDS: Record<Preset, Word> = { pico: "presetPico", results: "presetResults", bias: "presetBias" };

type Props = { fields: TemplateField[]; look: Look; choose: (look: Look) => void; reset: () => void };

export function ColumnsMenu({ fields, look, choose, reset }: Props) {
  const shown = fields.length - fields.filter((field) => look.hidden.includes(field.name)).length;
  const presets = (Object.keys(PRESETS) as Preset[]).filter((name) => fields.some((field) => PRESETS[name].test(field.section)));
  const all = arrange(fields, { ...look, hidden: [], pinned: [] }).columns;
  return (
    <Menu label={`${t("columns")} ${shown}/${fields.length}`} kind="columns">
      <div class="actions">
        {presets.map((name) => <button key={name} type="button" onClick={() => choose(preset(look, fields, name))}>{t(WORDS[name])}</button>)}
        <button type="button" onClick={() => choose({ ...look, hidden: [] })}>{t("presetAll")}</button>
        <button type="button" class="plain" onClick={reset}>{t("presetReset")}</button>
      </div>
      <div class="columns-list" tabIndex={0} role="region" aria-label={t("columns")}>
        {sections(all).map((section) => (
          <section key={section.name} aria-label={section.label}>
            <p class="quiet small">{section.label}</p>
            <ul>{section.fields.map((field) => <Column key={field.name} field={field} fields={fields} look={look} choose={choose} />)}</ul>
          </section>
        ))}
      </div>
    </Menu>
  );
}

function Column({ field, fields, look, choose }: { field: TemplateField } & Omit<Props, "reset">) {
  const { name } = field;
  const now = look.widths[name] ?? width(field);
  const button = (word: Word, sign: string, next: Look, isPressed?: boolean) => (
    <button type="button" class="icon" aria-label={`${t(word)}: ${named(field)}`} title={t(word)} aria-pressed={isPressed} onClick={() => choose(next)}>{sign}</button>
  );
  return (
    <li>
      <label>
        <input type="checkbox" checked={!look.hidden.includes(name)} onChange={() => choose({ ...look, hidden: toggled(look.hidden, name) })} />
        {named(field)}
      </label>
      <span>
        {button("columnLeft", "←", moved(look, fields, name, -1))}
        {button("columnRight", "→", moved(look, fields, name, 1))}
        {button("columnNarrow", "−", resized(look, name, now - STEP))}
        {button("columnWide", "+", resized(look, name, now + STEP))}
        {button("columnPin", "⚲", { ...look, pinned: toggled(look.pinned, name) }, look.pinned.includes(name))}
      </span>
    </li>
  );
}
