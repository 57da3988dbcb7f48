import type { ReactNode } from 'react';
import { OpensInNewTab } from '../ui/link/OpensInNewTab.tsx';

/** Draws the words of a text that lead to support; without an address they stay words. */
export function supportLink(address: string | undefined): (words: string) => ReactNode {
  return (words) =>
    address === undefined ? (
      words
    ) : (
      <a href={address} target="_blank" rel="noopener noreferrer" data-action="global-support">
        {words}
        <OpensInNewTab />
      </a>
    );
}
