import type { ReactNode } from 'react';
import { findSafeAddress } from '../addresses.ts';
import { findOrganisation } from '../flow/context.ts';
import { Heading } from '../ui/text/Heading.tsx';
import { useFlow } from './flow-context.tsx';
import styles from './site-heading.module.css';

interface SiteHeadingProps {
  /** The line above the heading; null: none, because the step names the organisation elsewhere. Default: its name. */
  above?: ReactNode;
  children: ReactNode;
}

/**
 * The heading of a step, in one row with the logo of the organisation and under its name, so that visitors do not type
 * a password for another one. Without both if the service does not name the organisation.
 */
export function SiteHeading({ above, children }: SiteHeadingProps): ReactNode {
  const displayName = useFlow((state) => findOrganisation(state)?.displayName);
  const logo = useFlow((state) => findSafeAddress(findOrganisation(state)?.logoPath));
  const line = above === undefined && displayName ? <bdi translate="no">{displayName}</bdi> : above;
  const texts = (
    <div>
      {line && <p>{line}</p>}
      <Heading>{children}</Heading>
    </div>
  );
  if (!displayName) return texts;
  return (
    <div className={styles.header} data-site-header="">
      {logo !== undefined && (
        // The logo is hidden if it cannot be loaded.
        <img
          className={styles.logo}
          src={logo}
          alt=""
          onError={({ currentTarget }) => (currentTarget.hidden = true)}
        />
      )}
      {texts}
    </div>
  );
}
