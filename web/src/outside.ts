// What lives outside of the components: the address, the session, the language.
import { useEffect, useState } from "preact/hooks";

/** A text that something else may change. A change between the drawing and the watching is seen too. */
export function useOutside<V extends string | null>(read: () => V, watch: (told: () => void) => () => void): V {
  const [value, set] = useState<V>(read);
  useEffect(() => {
    const look = () => set(read());
    const stop = watch(look);
    look();
    return stop;
  }, []);
  return value;
}
