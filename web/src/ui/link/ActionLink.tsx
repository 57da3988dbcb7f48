import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import { VisuallyHidden } from '../text/LiveRegion.tsx';
import type { FrameAction } from './action.ts';
import styles from './link.module.css';

interface ActionLinkProps {
  action: FrameAction;
  /** A validated address (wire contract, "Addresses that a server sends"). */
  href: string;
  /** Called instead of the navigation. The browser handles a click that opens a new tab or window. */
  onFollow?: (() => void) | undefined;
  /** Shows a back arrow. */
  isBack?: boolean;
  /** The accessible name, if the visible one is too short to stand alone. */
  label?: string | undefined;
  /** Opens a new tab and announces that. */
  opensInNewTab?: boolean;
  children: ReactNode;
}

/** A link in the frame of a card. */
export function ActionLink(props: ActionLinkProps): ReactNode {
  const { action, href, onFollow, isBack = false, label, opensInNewTab = false, children } = props;
  return (
    <a
      className={isBack ? styles.back : styles.link}
      data-action={action}
      aria-label={label}
      href={href}
      onClick={
        onFollow &&
        ((event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          onFollow();
        })
      }
      {...(opensInNewTab ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      {isBack && <InlineIcon name="arrow-back" />}
      <span>{children}</span>
      {opensInNewTab && <OpensInNewTab />}
    </a>
  );
}

/** Announces that a link opens a new tab. */
export function OpensInNewTab(): ReactNode {
  const { t } = useLanguage();
  return <VisuallyHidden>{` (${t('common.opensInNewTab')})`}</VisuallyHidden>;
}
