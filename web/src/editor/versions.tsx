// The versions of a template: what has changed since one of them, and one of them taken up again.
import { useQuery } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { body } from "../api";
import type { Schemas } from "../shapes";
import { type Difference, type Draft, differences, draftOf } from "./draft";
import { type EditorWord, e } from "./words";

type Props = { project: string; template: Schemas["Template"]; draft: Draft; take: (draft: Draft) => void };

export function Versions({ project, template, draft, take }: Props) {
  const [version, choose] = useState<number | null>(null);
  const at = version ?? template.version;
  const found = useQuery({
    queryKey: ["template", project, template.templateId, at],
    queryFn: () => body("get", "/api/v1/asl/extraction/templates/{template_id}", { path: { template_id: template.templateId }, query: { version: at }, project }),
    staleTime: Infinity,
  });
  const before = found.data && draftOf(found.data);
  const told = before ? differences(before, draft) : [];
  return (
    <details class="panel form">
      <summary>{e("versions")}</summary>
      <label>
        {e("compare")}
        <select value={at} onChange={(event) => choose(Number(event.currentTarget.value))}>
          {Array.from({ length: template.version }, (_, n) => template.version - n).map((n) => <option key={n} value={n}>{e("version", { n })}</option>)}
        </select>
      </label>
      {before && !told.length && <p class="quiet small">{e("none")}</p>}
      <ul class="differences">
        {told.map((each) => <li key={`${each.kind} ${each.label}`} class={each.kind}><strong>{each.label}</strong> <span class="quiet small">{said(each)}</span></li>)}
      </ul>
      {before && told.length > 0 && <div class="actions"><button type="button" onClick={() => take(before)}>{e("take")}</button></div>}
    </details>
  );
}

function said({ kind, what }: Difference): string {
  if (kind === "changed") return e("changed", { what: what.map((each) => e(`what_${each}` as EditorWord)).join(", ") });
  return e(kind === "removed" ? "removedOne" : kind);
}
