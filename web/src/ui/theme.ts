import { findCookie, writeCookie } from '../cookies.ts';

const name = 'anteroom_theme';

/** The colours that the visitor has chosen for this browser; undefined: those that the device prefers. */
export type Theme = 'light' | 'dark' | undefined;

export function findTheme(): Theme {
  const stored = findCookie(name);
  return stored === 'light' || stored === 'dark' ? stored : undefined;
}

/** Shows the page in a theme. The dark colours are one media rule of the styles in the HTML (`tokens.css`): it is made to hold always, or never. */
export function showTheme(theme: Theme): void {
  document.documentElement.style.colorScheme = theme ?? '';
  for (const rule of document.styleSheets[0]?.cssRules ?? [])
    if (rule instanceof CSSMediaRule && rule.conditionText.includes('color-scheme'))
      rule.media.mediaText = `${theme === 'dark' ? 'all,' : ''}(prefers-color-scheme:dark)${theme === 'light' ? 'and (width<0)' : ''}`;
}

/** The visitor's own choice: shown and kept. */
export function chooseTheme(theme: Theme): void {
  showTheme(theme);
  writeCookie(name, theme ?? '', theme ? 'far-future' : 'deleted');
}
