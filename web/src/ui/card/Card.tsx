import type { ReactNode } from 'react';
import '../base.css';
import { brand } from '../brand.ts';
import { Mark } from '../icon/Mark.tsx';
import { Settling } from '../room/Room.tsx';
import { CardHeadingLevel } from './heading-level.ts';
import styles from './card.module.css';

interface CardProps {
  /** What `<main data-step>` says. */
  step: string;
  /** Whether a submission is under way. */
  isLoading: boolean;
  /** The page stands under the logo as its first heading (route data `hasH1Logo`); the step's own heading is then the second. */
  hasH1Logo: boolean;
  /** The link above the content: back to site, back to boards, sign out. */
  header: ReactNode;
  /** Footer; undefined takes it out. The external-access theme hides it in any case. */
  footer: ReactNode;
  theme: 'default' | 'external-access';
  /** A list with much in each line gets more room (the 800 px of the specification's point 9). */
  isWide: boolean;
  /** Nothing around the card to lift it from (loginFlowCustomizations.nestedUIEliminated). */
  isFlat: boolean;
  /** Stands lower, while an error notification shows. */
  hasErrorMargin: boolean;
  children: ReactNode;
}

/** The page: one card with the logo, a header, the step, and a footer. */
export function Card(props: CardProps): ReactNode {
  const { step, isLoading, hasH1Logo, header, footer, theme, isWide, isFlat, hasErrorMargin, children } =
    props;
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
          <Logo className={styles.logo}>
            {brand.logo === 'mark' ? (
              <Mark className={styles.mark} />
            ) : (
              brand.logo && <img {...brand.logo} alt="" />
            )}
            {brand.productName}
          </Logo>
          <div className={styles.links}>{header}</div>
        </header>
        <main className={styles.main} data-step={step} data-loading={isLoading ? 'true' : undefined}>
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
