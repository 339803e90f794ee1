// A value in words: of a list each entry by what is known of it, as colour and for those who listen.
import type { FieldValue, TemplateField } from "../shapes";
import { t } from "../words";
import { doubted, entries, plain, shown } from "./values";

export function Told({ value, field }: { value: FieldValue | undefined; field?: TemplateField }) {
  if (!doubted(value).length) return <>{shown(value, field)}</>;
  return (
    <>
      {entries(value).map((entry, at) => (
        <span key={at}>
          {at > 0 && "; "}
          <span class={`entry ${entry.state}`}>{plain(entry, field) || "–"}</span>
          {entry.state !== "found" && <span class="unseen"> ({t(entry.state)})</span>}
        </span>
      ))}
    </>
  );
}
