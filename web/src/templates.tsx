// Templates to choose from, and what each asks of a paper, by section.
import { useState } from "preact/hooks";
import { go, href } from "./address";
import { body } from "./api";
import { Act, Failure, Waiting } from "./pieces";
import { client, useTemplate, useTemplates } from "./queries";
import type { Template, TemplateField } from "./shapes";
import { named, t, type Word } from "./words";

export type Section = { name: string; label: string; fields: TemplateField[] };

/** A template's fields by section, both in the template's order. */
export function sections(fields: TemplateField[]): Section[] {
  const found = new Map<string, Section>();
  for (const field of fields) {
    const known = found.get(field.section);
    if (known) known.fields.push(field);
    else found.set(field.section, { name: field.section, label: sectionLabel(field), fields: [field] });
  }
  return [...found.values()];
}

export function sectionLabel(field: TemplateField): string {
  return named({ label: field.sectionLabel || field.section, labelZh: field.sectionLabelZh || "" });
}

function kind(field: TemplateField): string {
  const words: Record<string, Word> = { "[string]": "type_list", "[object]": "type_table" };
  return t(words[field.type] ?? (`type_${field.type}` as Word));
}

/** Copies a template for the project, and opens the copy in the editor. */
export async function makeOurs(project: string, id: string): Promise<void> {
  const asked = { path: { template_id: id }, project, key: crypto.randomUUID() };
  const made = await body("post", "/api/v1/asl/extraction/templates/{template_id}/clone", asked);
  await client.invalidateQueries({ queryKey: ["templates", project] });
  go(href({ view: "template", project, query: { id: made.templateId } }));
}

type Props = {
  project: string;
  may: boolean;
  templates: ReturnType<typeof useTemplates>;
  chosen: string;
  choose: (id: string) => void;
};

export function ChooseTemplate({ project, may, templates, chosen, choose }: Props) {
  return (
    <section class="panel" aria-labelledby="template-heading">
      <div class="panel-head"><h2 id="template-heading">{t("chooseTemplate")}</h2></div>
      {templates.isPending && <Waiting rows={3} />}
      {templates.isError && !templates.data && <Failure error={templates.error} again={() => void templates.refetch()} />}
      <div class="templates" role="radiogroup" aria-labelledby="template-heading">
        {templates.data?.templates.map((template) => (
          <label key={template.templateId} class="template">
            <input type="radio" name="template" checked={template.templateId === chosen} onChange={() => choose(template.templateId)} />
            <span>
              <strong>{named(template)}</strong>
              <span class="quiet small">{t("fieldsN", { n: template.fieldCount ?? 0 })} · {t("version", { n: template.version })}</span>
            </span>
          </label>
        ))}
      </div>
      {may && templates.data && <Change project={project} id={chosen} templates={templates.data.templates} />}
      <Fields project={project} id={chosen} templates={templates.data?.templates ?? []} />
    </section>
  );
}

/** A project's own is edited; of a built-in one a copy is. */
function Change({ project, id, templates }: { project: string; id: string; templates: Template[] }) {
  const template = templates.find((each) => each.templateId === id);
  if (!template) return null;
  if (!template.builtIn) return <a class="button template-change" href={href({ view: "template", project, query: { id } })}>{t("editTemplate")}</a>;
  return <Act class="template-change" act={() => makeOurs(project, id)}>{t("makeOurs")}</Act>;
}

function Fields({ project, id, templates }: { project: string; id: string; templates: Template[] }) {
  const [open, setOpen] = useState(false);
  const template = useTemplate(project, open ? id : null);
  if (!templates.length) return null;
  return (
    <div class="template-fields">
      <button type="button" class="plain" aria-expanded={open} onClick={() => setOpen(!open)}>{t(open ? "hideFields" : "showFields")}</button>
      {open && template.isPending && <Waiting rows={4} />}
      {open && template.isError && !template.data && <Failure error={template.error} again={() => void template.refetch()} />}
      {open && template.data && (
        <div class="fields" tabIndex={0} role="region" aria-label={t("showFields")}>
          {sections(template.data.fields ?? []).map((section) => (
            <section key={section.name}>
              <h3>{section.label}</h3>
              <ul>
                {section.fields.map((field) => (
                  <li key={field.name} title={field.description ?? ""}>{named(field)} <span class="quiet small">{kind(field)}</span></li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </div>
  );
}
