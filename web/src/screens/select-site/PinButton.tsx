import type { Site } from '@anteroom/contract';
import { createContext, use } from 'react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { InlineIcon } from '../../ui/icon/InlineIcon.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import styles from './site-entry.module.css';

/** Whether the list is so long that its user can pin sites. */
export const PinsContext = createContext(false);

const pin = 'M8.5 3.5h7M10 3.5v6l-3.5 4h11L14 9.5v-6M12 13.5v7';

/** Pins a site, or unpins it. Hidden in a short list, and if the service does not offer pins. */
export function PinButton({ site: { name, displayName } }: { site: Site }): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const isLong = use(PinsContext);
  const isPinned = useFlow(({ siteList }) => siteList?.pinnedSites?.includes(name));
  if (!isLong || isPinned === undefined) return null;
  return (
    <button
      className={styles.pin}
      type="button"
      data-action="pin-site"
      aria-label={t('selectSite.pinned.pin', { site: displayName })}
      aria-pressed={isPinned}
      onClick={() => send({ type: 'PREFERENCE_CHOSEN', preference: { site: name, isOn: !isPinned } })}
    >
      <InlineIcon path={pin} />
    </button>
  );
}
