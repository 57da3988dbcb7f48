import { use, createContext } from 'react';
import type { ReactNode, Ref } from 'react';
import styles from './text.module.css';

interface HeadingProps {
  children: ReactNode;
  ref?: Ref<HTMLHeadingElement> | undefined;
}

/**
 * The heading of a step. It can be focused, for steps without a field. It is an h1, or an h2 if the card's logo is the
 * h1.
 */
export function Heading({ children, ref }: HeadingProps): ReactNode {
  const attributes = { className: styles.heading, tabIndex: -1, ref };
  return use(CardHeadingLevel) === 'h1' ? (
    <h1 {...attributes}>{children}</h1>
  ) : (
    <h2 {...attributes}>{children}</h2>
  );
}

/** The heading level of a step inside its card. */
export const CardHeadingLevel = createContext<'h1' | 'h2'>('h1');

/** The text under a heading. */
export function Description({ children, id }: { children: ReactNode; id?: string | undefined }): ReactNode {
  return (
    <div className={styles.description} id={id}>
      {children}
    </div>
  );
}
