import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Looks at a frame at once, whenever it is scrolled or gets another size, and when one of these changes. */
export function useLooks(box: RefObject<HTMLElement>, look: () => void, at: unknown[]): void {
  useLayoutEffect(() => {
    look();
    const frame = box.current;
    if (!frame) return undefined;
    const sized = new ResizeObserver(look);
    sized.observe(frame);
    frame.addEventListener("scroll", look, { passive: true });
    return () => {
      sized.disconnect();
      frame.removeEventListener("scroll", look);
    };
  }, at);
}
