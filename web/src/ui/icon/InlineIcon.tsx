import type { ReactNode } from 'react';
import styles from './icon.module.css';

/**
 * The strokes of the icons in forms, inlined because separate files would load after the form. All have 24 px, a stroke
 * of 1.75 and round ends; a circle is an arc that stops a hundredth of a pixel before its start. The icons of the site
 * list are files (see `Icon`).
 */
const strokes = {
  'arrow-back': 'M19 12H5.5M11 6l-6 6 6 6',
  check: 'M5 12.5 10 17.5 19.5 7',
  'chevron-down': 'M6 9.5l6 6 6-6',
  close: 'M6 6l12 12M18 6 6 18',
  alert: 'M12 3.5a8.5 8.5 0 1 0 .01 0ZM12 8v4.5M12 15.75v.01',
  info: 'M12 3.5a8.5 8.5 0 1 0 .01 0ZM12 11.5V16M12 8.25v.01',
  eye: 'M2.75 12C4.5 8 8 5.75 12 5.75S19.5 8 21.25 12C19.5 16 16 18.25 12 18.25S4.5 16 2.75 12ZM12 9.25a2.75 2.75 0 1 0 .01 0Z',
  'eye-off':
    'M2.75 12C4.5 8 8 5.75 12 5.75S19.5 8 21.25 12C19.5 16 16 18.25 12 18.25S4.5 16 2.75 12ZM12 9.25a2.75 2.75 0 1 0 .01 0ZM4.5 20 19.5 4',
  globe:
    'M12 3.5a8.5 8.5 0 1 0 .01 0ZM3.5 12h17M12 3.5c2.3 2.4 3.5 5.3 3.5 8.5s-1.2 6.1-3.5 8.5c-2.3-2.4-3.5-5.3-3.5-8.5S9.7 5.9 12 3.5Z',
} as const;

export type InlineIconName = keyof typeof strokes;

type InlineIconProps = { name: InlineIconName; path?: undefined } | { name?: undefined; path: string };

/**
 * A decorative icon in the colour of the text; the text beside it has the same meaning.
 * @param path the strokes of an icon that is loaded later, instead of a name
 */
export function InlineIcon({ name, path = name && strokes[name] }: InlineIconProps): ReactNode {
  return (
    <svg
      // Icons with a reading direction are mirrored in right-to-left languages.
      className={name === 'arrow-back' ? `${styles.inline} ${styles.directional}` : styles.inline}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
