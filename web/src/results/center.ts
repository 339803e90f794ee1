/** Bring something to the middle of the box that scrolls it, and move nothing else: what stands over the box stays in view. */
export function center(wanted: Element | null, frame: string): void {
  const box = wanted?.closest(frame);
  if (!wanted || !box) return;
  const [at, edge] = [wanted.getBoundingClientRect(), box.getBoundingClientRect()];
  box.scrollTop += at.top - edge.top - (box.clientHeight - at.height) / 2;
  box.scrollLeft += Math.min(0, at.left - edge.left) + Math.max(0, at.right - edge.right);
}
