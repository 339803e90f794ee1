// What lives outside of the components: the address, the session, the language.
import { useEffect, useState } from "preact/hooks";

/** What something else may change, as long as a change makes another value. One between drawing and watching is seen too. */
export function useOutside<V>(read: () => V, watch: (told: () => void) => () => void): V {
  const [value, set] = useState<V>(read);
  useEffect(() => {
    const look = () => set(() => read());
    const stop = watch(look);
    look();
    return stop;
  }, []);
  return value;
}
