import { use } from 'react';
import type { ReactNode, Ref } from 'react';
import { CardHeadingLevel } from '../card/heading-level.ts';
import styles from './text.module.css';

interface HeadingProps {
  children: ReactNode;
  ref?: Ref<HTMLHeadingElement> | undefined;
}

/**
 * The heading of a step. Focusable, for steps without a field. Its level depends on the card: h1, or h2 under a logo
 * heading.
 */
export function Heading({ children, ref }: HeadingProps): ReactNode {
  const attributes = { className: styles.heading, tabIndex: -1, ref };
  return use(CardHeadingLevel) === 'h1' ? (
    <h1 {...attributes}>{children}</h1>
  ) : (
    <h2 {...attributes}>{children}</h2>
  );
}
