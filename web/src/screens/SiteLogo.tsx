import { useEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { findSafeAddress } from '../addresses.ts';
import { Icon } from '../ui/icon/Icon.tsx';
import styles from './site-logo.module.css';

/** The logo of a site; the default one if there is none or it cannot be loaded. */
export function SiteLogo({ path }: { path: string | undefined }): ReactNode {
  const address = findSafeAddress(path);
  const [hasFailed, setFailed] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const wasNear = useWasNearViewport(place);
  if (address === undefined || hasFailed)
    return (
      <span className={styles.logo} data-logo="">
        <Icon name="site" />
      </span>
    );
  return (
    <span className={styles.logo} data-logo="" ref={place}>
      {wasNear && <img className={styles.picture} src={address} alt="" onError={() => setFailed(true)} />}
    </span>
  );
}

/**
 * Logos are loaded within this distance of the viewport. The browser's own lazy loading reaches thousands of pixels
 * further (wire contract, "Lazy logos").
 */
const logoMarginPx = 150;

const waiting = new Map<Element, () => void>();

/** One observer serves all logos, because two thousand observers would be slow. */
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

/** Whether an element has been near the viewport. */
function useWasNearViewport(place: RefObject<Element | null>): boolean {
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
