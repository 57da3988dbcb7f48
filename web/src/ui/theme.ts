import { findCookie, writeCookie } from '../cookies.ts';

const name = 'anteroom_theme';

/** The colour scheme that the visitor has chosen for this browser; undefined: the scheme of the device. */
export type Theme = 'light' | 'dark' | undefined;

export function findTheme(): Theme {
  const stored = findCookie(name);
  return stored === 'light' || stored === 'dark' ? stored : undefined;
}

/**
 * Shows the page in a theme. The dark colours are one media rule in the inlined styles (`tokens.css`); this changes its
 * condition to always, never, or the scheme of the device. Pages always print in the light colours.
 */
export function showTheme(theme: Theme): void {
  document.documentElement.style.colorScheme = theme ?? '';
  for (const rule of document.styleSheets[0]?.cssRules ?? [])
    if (rule instanceof CSSMediaRule && rule.conditionText.includes('color-scheme'))
      // Without a value, the condition holds in every browser that knows it.
      rule.media.mediaText = `${theme === 'light' ? 'not all' : 'screen'} and (prefers-color-scheme${theme ? '' : ':dark'})`;
}

/** Shows and stores the theme that the visitor has chosen. */
export function chooseTheme(theme: Theme): void {
  showTheme(theme);
  writeCookie(name, theme ?? '', theme ? 'far-future' : 'deleted');
}
