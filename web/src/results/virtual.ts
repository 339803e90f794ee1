// Which rows are in view: TanStack's virtualizer, made a hook. Which columns are: their widths are known, so it is a sum.
import {
  Virtualizer,
  type VirtualItem,
  elementScroll,
  observeElementOffset,
  observeElementRect,
} from "@tanstack/virtual-core";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { RefObject } from "preact";
import { useLooks } from "../looks";

type Rows = { items: VirtualItem[]; before: number; after: number; reveal: (row: number) => void };

export function useVirtualRows(box: RefObject<HTMLElement>, count: number, height: number, head: number): Rows {
  const [, again] = useState(0);
  const options = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 6,
    scrollPaddingStart: head,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => again((times) => times + 1),
  };
  const [rows] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  rows.setOptions(options);
  useEffect(() => rows._didMount(), []);
  useLayoutEffect(() => rows._willUpdate());
  const items = rows.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = rows.getTotalSize() - (items.at(-1)?.end ?? 0);
  return { items, before, after, reveal: (row) => rows.scrollToIndex(row) };
}

const BESIDE = 2;

export type Span = { from: number; to: number };

/** The columns in view and two beside, of these widths, behind some that always are; `bring` scrolls until one is. */
export function useVirtualColumns(box: RefObject<HTMLElement>, widths: number[], before: number) {
  const [span, setSpan] = useState<Span>({ from: 0, to: 12 });
  const head = () => (box.current?.querySelector<HTMLElement>("th.corner")?.offsetWidth ?? 0) + before;
  const look = () => {
    if (!box.current) return;
    const start = box.current.scrollLeft;
    const end = start + box.current.clientWidth - head();
    let right = 0;
    let from = widths.length;
    let to = 0;
    widths.forEach((width, column) => {
      if (right + width > start) from = Math.min(from, column);
      if (right < end) to = column + 1;
      right += width;
    });
    from = Math.max(0, from - BESIDE);
    to = Math.min(widths.length, to + BESIDE);
    setSpan((before) => (before.from === from && before.to === to ? before : { from, to }));
  };
  useLooks(box, look, [widths, before]);
  const bring = (column: number) => {
    const width = widths[column];
    if (!box.current || width === undefined) return;
    const left = widths.slice(0, column).reduce((sum, each) => sum + each, 0);
    const room = box.current.clientWidth - head();
    if (left < box.current.scrollLeft) box.current.scrollLeft = left;
    // Its beginning counts for more than its end, where there is no room for both.
    else if (left + width > box.current.scrollLeft + room) box.current.scrollLeft = Math.min(left, left + width - room + 12);
  };
  return { span, bring };
}
