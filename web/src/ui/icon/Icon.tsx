import type { ReactNode } from 'react';
import styles from './icon.module.css';

/** The files in assets/icons, by name. */
export const iconNames = ['chevron', 'new-material', 'search', 'site'] as const;
export type IconName = (typeof iconNames)[number];

/**
 * The address of an icon. It contains the version, so that a server can send the file as immutable (wire contract,
 * "Where things live").
 */
export const iconAddress = (name: IconName): string =>
  `${import.meta.env.BASE_URL}assets/icons/${name}.svg?v=${__ANTEROOM_VERSION__}`;

/**
 * An icon from a file, loaded with the first screen that shows it. Decorative: the text beside it has the same meaning.
 */
export function Icon({ name }: { name: IconName }): ReactNode {
  return (
    <img
      className={name === 'chevron' ? `${styles.file} ${styles.directional}` : styles.file}
      src={iconAddress(name)}
      width={24}
      height={24}
      alt=""
    />
  );
}
