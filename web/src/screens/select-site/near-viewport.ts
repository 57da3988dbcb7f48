import { useEffect, useState } from 'react';
import type { RefObject } from 'react';

/**
 * Logos are asked for within this distance of the viewport. The browser's own lazy loading reaches thousands of pixels further
 * (wire contract, "Lazy logos").
 */
const logoMarginPx = 150;

const waiting = new Map<Element, () => void>();

/** One observer for all logos: two thousand of them would each cost their own. */
let observer: IntersectionObserver | undefined;

function observerOfLogos(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) waiting.get(target)?.();
    },
    { rootMargin: `${logoMarginPx}px` },
  );
  return observer;
}

/** Whether an element has once been near the viewport. */
export function useWasNearViewport(place: RefObject<Element | null>): boolean {
  const [wasNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || wasNear) return;
    waiting.set(element, () => setNear(true));
    observerOfLogos().observe(element);
    return () => {
      waiting.delete(element);
      observerOfLogos().unobserve(element);
    };
  }, [place, wasNear]);
  return wasNear;
}
