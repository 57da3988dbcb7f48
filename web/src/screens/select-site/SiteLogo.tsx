import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { findSafeAddress } from '../../addresses.ts';
import { Icon } from '../../ui/icon/Icon.tsx';
import { useWasNearViewport } from './near-viewport.ts';
import styles from './site-entry.module.css';

/** A site's logo, or the default one where there is none or it cannot be had. */
export function SiteLogo({ path }: { path: string | undefined }): ReactNode {
  const address = findSafeAddress(path);
  const [hasFailed, setFailed] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const wasNear = useWasNearViewport(place);
  if (address === undefined || hasFailed)
    return (
      <span className={styles.logo}>
        <Icon name="site" />
      </span>
    );
  return (
    <span className={styles.logo} ref={place}>
      {wasNear && <img className={styles.picture} src={address} alt="" onError={() => setFailed(true)} />}
    </span>
  );
}
