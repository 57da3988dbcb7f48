import type { MouseEvent, ReactNode } from 'react';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import type { FrameAction } from './action.ts';
import styles from './link.module.css';
import { OpensInNewTab } from './OpensInNewTab.tsx';

interface ActionLinkProps {
  action: FrameAction;
  /** An address that has been checked (wire contract, "Addresses that a server sends"). */
  href: string;
  /** Before the browser follows the link; `preventDefault` keeps it. */
  onFollow?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
  /** Points back the way that one came. */
  isBack?: boolean;
  /** Keeps this page; readers are told. */
  opensInNewTab?: boolean;
  children: ReactNode;
}

/** A link of the frame. */
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
