import type { MouseEvent, ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import { VisuallyHidden } from '../text/LiveRegion.tsx';
import type { FrameAction } from './action.ts';
import styles from './link.module.css';

interface ActionLinkProps {
  action: FrameAction;
  /** A validated address (wire contract, "Addresses that a server sends"). */
  href: string;
  /** Called before navigation; `preventDefault` cancels it. */
  onFollow?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
  /** Shows a back arrow. */
  isBack?: boolean;
  /** Opens a new tab and announces that. */
  opensInNewTab?: boolean;
  children: ReactNode;
}

/** A link in the frame of a card. */
export function ActionLink(props: ActionLinkProps): ReactNode {
  const { action, href, onFollow, isBack = false, opensInNewTab = false, children } = props;
  return (
    <a
      className={isBack ? styles.back : styles.link}
      data-action={action}
      href={href}
      onClick={onFollow}
      {...(opensInNewTab ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      {isBack && <InlineIcon name="arrow-back" />}
      {children}
      {opensInNewTab && <OpensInNewTab />}
    </a>
  );
}

/** Announces that a link opens a new tab. */
export function OpensInNewTab(): ReactNode {
  const { t } = useLanguage();
  return <VisuallyHidden> ({t('common.opensInNewTab')})</VisuallyHidden>;
}
