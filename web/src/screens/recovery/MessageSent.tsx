import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Description } from '../../ui/text/Description.tsx';
import { Heading } from '../../ui/text/Heading.tsx';
import { WayOn } from './WayOn.tsx';

interface MessageSentProps {
  heading: string;
  /** The same text whether a message was sent or not. */
  description: string;
  onTryAgain: () => void;
}

/** The confirmation after requesting a message. */
export function MessageSent({ heading, description, onTryAgain }: MessageSentProps): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <Heading>{heading}</Heading>
      <Description>{description}</Description>
      <WayOn>
        <Button variant="secondary" onPress={onTryAgain}>
          {t('recovery.tryAgain')}
        </Button>
      </WayOn>
    </>
  );
}
