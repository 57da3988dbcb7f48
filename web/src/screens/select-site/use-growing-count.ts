import { useEffect, useState } from 'react';

/** More than fit any screen, so that what is seen first is whole. */
const firstCount = 40;
/** Drawn in one go afterwards: on a slow phone, still less than a frame that would be missed. */
const stepCount = 40;

/**
 * How much of a long list is drawn: what the screen shows at once, the rest in small steps, so that a list of thousands is usable as
 * soon as a short one.
 * @param atLeast what must be there from the start, such as an entry that takes the focus
 */
export function useGrowingCount(total: number, atLeast: number): number {
  const [count, setCount] = useState(firstCount);
  const drawn = Math.min(total, Math.max(count, atLeast));
  useEffect(() => {
    if (drawn >= total) return;
    const timer = setTimeout(() => setCount(drawn + stepCount), 0);
    return () => clearTimeout(timer);
  }, [drawn, total]);
  return drawn;
}
