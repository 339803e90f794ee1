// What is known of a column: its heading in the file, its type, what is missing or does not fit, its figures, what to look at.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { number } from "../words";
import { type ColumnView, type Value, shown } from "./shapes";
import { coded, s } from "./words";

type Props = { column: ColumnView; total: number; count: number; go: (column: number) => void; close: () => void };

const figure = (value: Value): string => (typeof value === "number" ? number(value) : shown(value));

export function ColumnPanel({ column, total, count, go, close }: Props) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const closes = useRef(close);
  closes.current = close;
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !(event.target as Element).closest("input, select, dialog, .opens-menu[open]")) closes.current();
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, []);
  const tokens = Object.entries(column.missingTokens).sort((a, b) => b[1] - a[1]);
  const most = Math.max(1, ...column.top.map(([, n]) => n));
  return (
    <aside class="sheet-panel" ref={panel} tabIndex={-1} aria-label={s("about")}>
      <div class="sheet-panel-head">
        <h2>{column.name}</h2>
        <span class="actions">
          <button type="button" class="icon" disabled={column.index === 0} aria-label={s("previous")} title={s("previous")} onClick={() => go(column.index - 1)}>‹</button>
          <button type="button" class="icon" disabled={column.index >= count - 1} aria-label={s("next")} title={s("next")} onClick={() => go(column.index + 1)}>›</button>
          <button type="button" class="icon" aria-label={s("close")} title={s("close")} onClick={close}>×</button>
        </span>
      </div>
      {column.warnings.length > 0 && (
        <section class="sheet-warnings">
          <h3>{s("warnings")}</h3>
          <ul>{column.warnings.map((code) => <li key={code}>{coded("warn", code) ?? code}</li>)}</ul>
        </section>
      )}
      <dl>
        <Fact word={s("header")}>{column.header ? <q>{column.header}</q> : s("noHeader")}</Fact>
        <Fact word={s("type")}>{coded("type", column.type) ?? column.type}</Fact>
        {column.unit && <Fact word={s("unit")}>{column.unit}</Fact>}
        <Fact word={s("missingHead")}><Share n={column.missing} all={total} /></Fact>
        {tokens.length > 0 && <Fact word={s("tokens")}><ul class="sheet-tokens">{tokens.map(([token, n]) => <li key={token}><code>{token || s("tokenBlank")}</code> {number(n)}</li>)}</ul></Fact>}
        <Fact word={s("invalidHead")}><Share n={column.invalid} all={total} /></Fact>
        {column.distinct !== null && <Fact word={s("distinct")}>{number(column.distinct)}</Fact>}
        {column.min !== null && <Fact word={s("min")}>{figure(column.min)}</Fact>}
        {column.max !== null && <Fact word={s("max")}>{figure(column.max)}</Fact>}
        {column.mean !== null && <Fact word={s("mean")}>{figure(column.mean)}</Fact>}
      </dl>
      {column.invalidExamples.length > 0 && (
        <section>
          <p class="small wrong">{s("invalidWhy")}</p>
          <ul class="sheet-tokens">{column.invalidExamples.map((each) => <li key={each}><code>{each}</code></li>)}</ul>
        </section>
      )}
      {column.top.length > 0 && (
        <section>
          <h3>{s("top")}</h3>
          <ul class="sheet-top">
            {column.top.map(([value, n]) => <li key={String(value)}><span>{shown(value)}</span><progress max={most} value={n} aria-hidden="true" /><b>{number(n)}</b></li>)}
          </ul>
        </section>
      )}
    </aside>
  );
}

function Fact({ word, children }: { word: string; children: ComponentChildren }) {
  return <div><dt>{word}</dt><dd>{children}</dd></div>;
}

function Share({ n, all }: { n: number; all: number }) {
  const percent = `${(all ? (n * 100) / all : 0).toFixed(n && n !== all ? 1 : 0)} %`;
  return <>{s("missingOf", { n, all, percent })}</>;
}
