import type { ReactNode } from 'react';

/** Draws the words of a text that lead to support; without an address they stay words. */
export function supportLink(address: string | undefined): (words: string) => ReactNode {
  return (words) =>
    address === undefined ? (
      words
    ) : (
      <a href={address} target="_blank" rel="noopener noreferrer" data-action="global-support">
        {words}
      </a>
    );
}
