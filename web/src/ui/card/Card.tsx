import type { ReactNode } from 'react';
import '../base.css';
import { brand } from '../brand.ts';
import { Settling } from '../room/Room.tsx';
import { CardHeadingLevel } from '../text/Heading.tsx';
import styles from './card.module.css';

interface CardProps {
  /** The value of `<main data-step>`. */
  step: string;
  /** Whether a submission is in flight. */
  isLoading: boolean;
  /** Whether the submission has succeeded, and the browser leaves for another page. */
  isLeaving?: boolean;
  /** The logo is the first heading (route data `hasH1Logo`), and the step's heading is the second. */
  hasH1Logo: boolean;
  /** The link above the content: back to site, back to boards, sign out. */
  header: ReactNode;
  /** The footer; undefined: none. The external-access theme always hides it. */
  footer: ReactNode;
  theme: 'default' | 'external-access';
  /** Widens the card to 800 px for long list entries (specification, point 9). */
  isWide: boolean;
  /** Removes the shadow (loginFlowCustomizations.nestedUIEliminated). */
  isFlat: boolean;
  /** Extra top margin while an error notification shows. */
  hasErrorMargin: boolean;
  children: ReactNode;
}

/** The page: a card with logo, header, step and footer. */
export function Card(props: CardProps): ReactNode {
  const { step, isLoading, isLeaving, hasH1Logo, header, footer, theme } = props;
  const { isWide, isFlat, hasErrorMargin, children } = props;
  const isExternal = theme === 'external-access';
  const Logo = hasH1Logo ? 'h1' : 'p';
  return (
    <div className={hasErrorMargin ? `${styles.page} ${styles.lowered}` : styles.page}>
      <div
        className={isWide ? `${styles.card} ${styles.wide}` : styles.card}
        data-card=""
        data-theme={isExternal ? theme : undefined}
        data-flat={isFlat ? '' : undefined}
      >
        <header className={styles.header}>
          <Logo className={styles.logo} translate="no">
            {brand.logo === 'mark' ? (
              <Mark className={styles.mark} />
            ) : (
              brand.logo && <img {...brand.logo} alt="" />
            )}
            {brand.productName}
          </Logo>
          <div className={styles.links}>{header}</div>
        </header>
        <main
          data-step={step}
          data-loading={isLoading ? 'true' : undefined}
          data-leaving={isLeaving || undefined}
        >
          <CardHeadingLevel value={hasH1Logo ? 'h2' : 'h1'}>
            <Settling value={isLoading}>
              <div className={styles.step} key={step}>
                {children}
              </div>
            </Settling>
          </CardHeadingLevel>
        </main>
        {isExternal || footer === undefined ? null : footer}
      </div>
    </div>
  );
}

/**
 * The product's mark: two panels, one of them ajar, and the light between them. The panels have the colour of the text;
 * the light has its own colour, but the mark is recognisable without it. `index.html` and `favicon.svg` contain the
 * same shapes.
 */
function Mark({ className }: { className?: string | undefined }): ReactNode {
  return (
    <svg className={className} viewBox="2 2 20 20" aria-hidden="true">
      <path
        fill="currentColor"
        d="M2 4.5A2.5 2.5 0 0 1 4.5 2H10v20H4.5A2.5 2.5 0 0 1 2 19.5ZM14.4 2h5.1A2.5 2.5 0 0 1 22 4.5v15a2.5 2.5 0 0 1-2.5 2.5H18Z"
      />
      <path fill="var(--glow)" d="M11.4 2H13l3.6 20h-5.2Z" />
    </svg>
  );
}
