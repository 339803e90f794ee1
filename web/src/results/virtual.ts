// Which rows are in view: TanStack's virtualizer, made a hook.
import {
  Virtualizer,
  type VirtualItem,
  elementScroll,
  observeElementOffset,
  observeElementRect,
} from "@tanstack/virtual-core";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { RefObject } from "preact";

type Rows = { items: VirtualItem[]; before: number; after: number; reveal: (row: number) => void };

export function useVirtualRows(box: RefObject<HTMLElement>, count: number, height: number, head: number): Rows {
  const [, again] = useState(0);
  const options = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 8,
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
