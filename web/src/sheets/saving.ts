// The changes of a sheet from the first to their save: kept in this tab, sent once, told when somebody was quicker.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Problem, insist } from "../api";
import { keep, keptObject } from "../kept";
import { said } from "../pieces";
import { client } from "../queries";
import type { Me } from "../shapes";
import { ROWS, fresh, isUnderWay, look, preview, save, told } from "./calls";
import { type Change, type Clash, type Pending, cellsOf, changed, marks, none, onto, sent, undone } from "./pending";
import { type StatusView, type Value, type Whole, valueIn } from "./shapes";
import { whyBad, s } from "./words";

/** A version that came between: what both have changed, and whether rows went. */
export type Stale = { version: number; by: string; clashes: Clash[]; outside: number; hasMoved: boolean; next: Pending };

export function useChanges(project: string, whole: Whole, sheet: number, status: StatusView | undefined) {
  const id = whole.sessionId;
  const total = whole.sheets?.[sheet]?.rows ?? 0;
  // Another who signs in in this tab is not shown them.
  const own = client.getQueriesData<Me>({ queryKey: ["me"] })[0]?.[1]?.userId ?? "";
  const name = `sheaf.sheet.${own}.${project}.${id}`;
  const [first] = useState(() => keptObject<Pending>(name, "sessionStorage"));
  const isKept = first?.sheet === sheet && first.past.length > 0;
  const [pending, set] = useState<Pending>(isKept ? first : none(whole.version, sheet, total));
  const [wasKept, setWasKept] = useState(isKept);
  const [saving, setSaving] = useState<number | null>(null);
  const [error, setError] = useState("");
  const [savedAs, setSavedAs] = useState(0);
  const [refused, setRefused] = useState<{ by: string } | null>(null);
  const [stale, setStale] = useState<Stale | null>(null);
  const key = useRef("");
  const made = useMemo(() => marks(pending), [pending]);
  const isChanged = made.count > 0;
  useEffect(() => keep(name, isChanged ? JSON.stringify(pending) : null, "sessionStorage"), [pending, isChanged]);
  // Without changes it is of what is shown.
  useEffect(() => {
    if (!isChanged && (pending.version !== whole.version || pending.sheet !== sheet || pending.total !== total)) set(none(whole.version, sheet, total));
  }, [whole.version, sheet, total, isChanged]);
  const write = (next: Pending) => {
    key.current = "";
    setSavedAs(0);
    setError("");
    set(next);
  };
  const discard = () => {
    write(none(whole.version, sheet, total));
    setWasKept(false);
    setRefused(null);
    setStale(null);
  };
  const over = async (version: number) => {
    await fresh(project, id);
    set((before) => none(version, before.sheet, total));
    setSaving(null);
    setWasKept(false);
    setSavedAs(version);
  };
  useEffect(() => {
    if (saving === null || !status) return;
    if (status.version >= saving) void over(saving);
    else if (status.save?.status === "error" && status.save.version === saving) {
      setError(whyBad(status.save.errorMessage ?? ""));
      key.current = "";
      setSaving(null);
    } else if (!status.save) void look(project, id).catch(() => undefined);
  }, [status, saving]);
  const press = async () => {
    setError("");
    setSavedAs(0);
    key.current ||= crypto.randomUUID();
    try {
      const answer = await insist(() => save(project, id, key.current, sent(pending)));
      told(project, answer);
      setSaving(answer.save?.version ?? pending.version + 1);
    } catch (wrong) {
      key.current = "";
      if (!(wrong instanceof Problem) || wrong.status !== 409) return setError(said(wrong));
      setRefused({ by: String(wrong.told["name"] ?? "") });
      await look(project, id).catch(() => undefined);
      await fresh(project, id);
    }
  };
  // Another's save goes on, or is over: what is shown is told by the session.
  const isOther = refused !== null && isUnderWay(status);
  useEffect(() => {
    if (refused !== null && status && !isUnderWay(status) && status.version !== whole.version) void fresh(project, id);
  }, [refused, status?.version, isOther]);
  // Two things there were: what was changed, and what came between.
  const isBehind = isChanged && saving === null && pending.version < whole.version && pending.sheet === sheet;
  useEffect(() => {
    if (!isBehind) return undefined;
    let here = true;
    void valuesOf(project, id, pending).then((now) => {
      if (!here) return;
      const { pending: next, clashes, outside } = onto(pending, whole.version, total, now);
      setStale({ version: whole.version, by: refused?.by ?? "", clashes, outside, hasMoved: total !== pending.total, next });
    }, (wrong: unknown) => here && setError(said(wrong)));
    return () => void (here = false);
  }, [isBehind, whole.version, pending]);
  const take = (next: Pending) => {
    write(next);
    setStale(null);
    setRefused(null);
  };
  /** What the other one wrote is to stand. */
  const leave = (clash: Clash) => {
    if (!stale) return;
    const past = stale.next.past.filter((each) => "removed" in each || each.row !== clash.row || each.column !== clash.column);
    setStale({ ...stale, clashes: stale.clashes.filter((each) => each !== clash), next: { ...stale.next, past } });
  };
  const isFree = saving === null && !isBehind && !isOther;
  const change = (each: Change) => isFree && write(changed(pending, each));
  return { pending, made, isChanged, wasKept, saving, error, savedAs, stale: isBehind ? stale : null, isBehind, isOther, isRefused: refused !== null, isFree, change, undo: () => isFree && pending.past.length > 0 && write(undone(pending)), write, take, leave, discard, press };
}

/** What stands now in the cells that were changed. */
async function valuesOf(project: string, id: string, pending: Pending): Promise<(row: number, column: number) => Value | undefined> {
  const wanted = [...new Set(cellsOf(marks(pending)).map(({ row }) => Math.floor(row / ROWS)))];
  const found = new Map<number, Value[][]>();
  for (const block of wanted) found.set(block, (await insist(() => preview(project, id, pending.sheet, block * ROWS))).rows);
  return (row, column) => valueIn(found.get(Math.floor(row / ROWS))?.[row % ROWS], column);
}

export type Changes = ReturnType<typeof useChanges>;
export const reason = (text: string): string => (text ? `${text} ` : `${s("unknownReason")} `);
