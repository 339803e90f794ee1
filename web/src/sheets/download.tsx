// What can be taken out: the file as it came, the clean data, and a sheet of it as CSV, which is made here.
import { useState } from "preact/hooks";
import { Menu, said } from "../pieces";
import { links } from "./calls";
import { csvOf, give } from "./csv";
import { passing } from "./leave";
import { s } from "./words";

type Props = { project: string; id: string; filename: string; sheet: { at: number; name: string } | null; isChanged: boolean };

export function Download({ project, id, filename, sheet, isChanged }: Props) {
  const [state, set] = useState<{ said: string; wrong: boolean }>({ said: "", wrong: false });
  const [isBusy, setBusy] = useState(false);
  const doing = async (text: string, act: () => Promise<string>) => {
    setBusy(true);
    set({ said: text, wrong: false });
    await act().then((done) => set({ said: done, wrong: false }), (error: unknown) => set({ said: said(error), wrong: true }));
    setBusy(false);
  };
  const file = async (which: "clean" | "original") => {
    const found = (await links(project, id))[which];
    if (found) passing(() => location.assign(found.url));
    return "";
  };
  const csv = async () => {
    const { clean } = await links(project, id);
    const name = `${[filename.replace(/\.[^.]*$/, ""), sheet?.name].filter(Boolean).join(" - ").replace(/[\\/:*?"<>|]/g, "_")}.csv`;
    const made = await csvOf(clean?.url ?? "", sheet?.at ?? 0).catch(() => Promise.reject(new Error(s("csvFailed"))));
    give(made, name);
    return s("csvDone", { name });
  };
  return (
    <div class="export">
      <Menu label={s("download")} isBusy={isBusy}>
        <button type="button" class="closes" disabled={isBusy} onClick={() => void doing("", () => file("original"))}>{s("original")}</button>
        {sheet && <button type="button" class="closes" disabled={isBusy} onClick={() => void doing(s("csvMaking"), csv)}>{s("csv")}</button>}
        {sheet && <button type="button" class="closes" disabled={isBusy} onClick={() => void doing("", () => file("clean"))}>{s("clean")}</button>}
        {sheet && <p class="quiet small">{s("csvDefused")}{isChanged && ` ${s("csvUnsaved")}`}</p>}
      </Menu>
      <span class={`small${state.wrong ? " wrong" : ""}`} role="status">{state.said}</span>
    </div>
  );
}
