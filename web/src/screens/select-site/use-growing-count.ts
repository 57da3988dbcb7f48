import { useCallback, useEffect, useState } from 'react';

/** More than fit any screen, so that what is seen first is whole. */
const firstCount = 40;
/** Drawn in one go afterwards: on a slow phone, still less than a frame that would be missed. */
const stepCount = 40;

interface GrowingCount {
  drawn: number;
  /** Draws at least so many, for an entry further down that takes the focus. */
  growTo: (count: number) => void;
}

/**
 * How much of a long list is drawn: what the screen shows at once, the rest in small steps, so that a list of thousands is usable as
 * soon as a short one. Another list begins anew.
 * @param atLeast what the first list must have from the start, such as an entry that takes the focus
 */
export function useGrowingCount(list: readonly unknown[], total: number, atLeast: number): GrowingCount {
  const [grown, setGrown] = useState({ list, count: Math.max(firstCount, atLeast) });
  const count = grown.list === list ? grown.count : firstCount;
  const drawn = Math.min(total, count);
  useEffect(() => {
    if (drawn >= total) return;
    const timer = setTimeout(() => setGrown({ list, count: drawn + stepCount }), 0);
    return () => clearTimeout(timer);
  }, [list, drawn, total]);
  const growTo = useCallback((wanted: number) => setGrown({ list, count: wanted }), [list]);
  return { drawn, growTo };
}
