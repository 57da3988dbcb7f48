import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { sanitise as sanitiseHtml } from './sanitise.ts';

type Sanitise = typeof sanitiseHtml;

/** Kept once it has been fetched; the first words that may be HTML ask for it. */
let sanitiser: Sanitise | undefined;

/** Whether a text could be read as HTML at all. */
const mayBeHtml = (words: string): boolean => /[<&]/.test(words);

/** The words without their tags, for when there is no sanitiser to be had. They are shown as text, so nothing in them can act. */
const withoutTags = (words: string): string => words.replace(/<[^>]*>/g, ' ');

/** Words of the service: untrusted, perhaps HTML. Plain ones are shown at once, others when the sanitiser has cleaned them. */
export function ServiceWords({ words }: { words: string }): ReactNode {
  const isHtml = mayBeHtml(words);
  const sanitise = useSanitiser(isHtml);
  // in the direction of their own first letters: the service need not speak the visitor's language
  if (!isHtml) return <div dir="auto">{words}</div>;
  if (sanitise === 'failed') return <div dir="auto">{withoutTags(words)}</div>;
  if (sanitise === undefined) return null;
  // oxlint-disable-next-line react/no-danger -- the one place where HTML is shown, and what the sanitiser left of it
  return <div dir="auto" dangerouslySetInnerHTML={{ __html: sanitise(words) }} />;
}

function useSanitiser(isWanted: boolean): Sanitise | 'failed' | undefined {
  // wrapped, because a function in `useState` would be called for the state
  const [loaded, setLoaded] = useState<{ sanitise: Sanitise | 'failed' } | undefined>(
    () => sanitiser && { sanitise: sanitiser },
  );

  useEffect(() => {
    if (!isWanted || loaded) return;
    let isGone = false;
    const settle = (sanitise: Sanitise | 'failed'): void => {
      if (!isGone) setLoaded({ sanitise });
    };
    import('./sanitise.ts').then(
      (module) => {
        sanitiser = module.sanitise;
        settle(module.sanitise);
      },
      () => settle('failed'),
    );
    return () => {
      isGone = true;
    };
  }, [isWanted, loaded]);

  return loaded?.sanitise;
}
