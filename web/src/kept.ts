// What this browser keeps between two visits. Where it keeps nothing, as hospitals may set it up, this tab remembers.
const here = new Map<string, string>();
/** Of all tabs, or of this one. */
type Where = "localStorage" | "sessionStorage";

export function kept(name: string, where: Where = "localStorage"): string | null {
  try {
    return window[where].getItem(name);
  } catch {
    return here.get(name) ?? null;
  }
}

/** Null takes it away. */
export function keep(name: string, text: string | null, where: Where = "localStorage"): void {
  if (text === null) here.delete(name);
  else here.set(name, text);
  try {
    if (text === null) window[where].removeItem(name);
    else window[where].setItem(name, text);
  } catch {
    // This tab remembers it.
  }
}

/** An object that was kept as JSON. One that is damaged counts as none, and is forgotten. */
export function keptObject<V extends object>(name: string, where: Where = "localStorage"): V | null {
  const text = kept(name, where);
  if (text === null) return null;
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found === "object" && found !== null) return found as V;
  } catch {
    // Damaged.
  }
  keep(name, null, where);
  return null;
}
