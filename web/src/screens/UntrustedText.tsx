import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { sanitise as sanitiseHtml } from './sanitise.ts';

type Sanitise = typeof sanitiseHtml;

/** The sanitiser. Loaded with the first text that can contain HTML, then kept. */
let sanitiser: Sanitise | undefined;

/** Whether a text can contain HTML. */
const mayBeHtml = (text: string): boolean => /[<&]/.test(text);

/** The text without tags, if the sanitiser could not be loaded. Rendered as text, so it is safe. */
const withoutTags = (text: string): string => text.replace(/<[^>]*>/g, ' ');

/** A text from the service: untrusted, can contain HTML. Plain text is shown at once, HTML after sanitising. */
export function UntrustedText({ text }: { text: string }): ReactNode {
  const isHtml = mayBeHtml(text);
  const sanitise = useSanitiser(isHtml);
  // The text may be in another language than the page, so its first letters decide the direction.
  if (!isHtml) return <div dir="auto">{text}</div>;
  if (sanitise === 'failed') return <div dir="auto">{withoutTags(text)}</div>;
  if (sanitise === undefined) return null;
  // oxlint-disable-next-line react/no-danger -- the only place that renders HTML, after the sanitiser
  return <div dir="auto" dangerouslySetInnerHTML={{ __html: sanitise(text) }} />;
}

function useSanitiser(isWanted: boolean): Sanitise | 'failed' | undefined {
  // The sanitiser is wrapped in an object, because `useState` would call a function.
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
