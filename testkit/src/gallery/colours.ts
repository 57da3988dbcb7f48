import { createHash } from 'node:crypto';

export type Colours = 'light' | 'dark';

/**
 * Changes a page and its content security policy to a fixed colour scheme, because not every browser can set the
 * preference for a frame. Only the first-paint styles depend on the scheme.
 */
export function withColours(
  page: string,
  policy: string,
  colours: Colours,
): { page: string; policy: string } {
  let changedPolicy = policy;
  const changedPage = page
    .replaceAll(/<style\b[^>]*>([\s\S]*?)<\/style>/g, (element, styles: string) => {
      const changed = settle(styles, colours);
      changedPolicy = changedPolicy.replace(hashOf(styles), hashOf(changed));
      return element.replace(styles, () => changed);
    })
    .replace('content="light dark"', `content="${colours}"`);
  return { page: changedPage, policy: changedPolicy };
}

function settle(styles: string, colours: Colours): string {
  return styles
    .replaceAll(/\(prefers-color-scheme:\s*(light|dark)\)/g, (_, asked: string) =>
      asked === colours ? '(width >= 0)' : '(width < 0)',
    )
    .replaceAll(/color-scheme:\s*light dark/g, `color-scheme:${colours}`);
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
