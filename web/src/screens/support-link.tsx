import type { ReactNode } from 'react';
import { OpensInNewTab } from '../ui/link/OpensInNewTab.tsx';

/** Renders part of a text as a link to support; without an address, as plain text. */
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
