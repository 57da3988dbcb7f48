import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { MessageFactor } from '../../flow/model.ts';
import type { OfferedWay, Way } from '../../flow/second-factor-ways.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { loadTexts } from '../../i18n/current-language.ts';
import { useLanguage } from '../../i18n/language.ts';
import { requirePart } from '../../late-part.ts';
import { ClientSupport } from '../ClientSupport.tsx';
import { useSend } from '../flow-context.tsx';
import { FormAlert } from '../FormAlert.tsx';
import { SiteHeading } from '../SiteHeading.tsx';
import { focusStep } from '../StepEntrance.tsx';
import { CodeDelivery, messageTexts, useFirstCode, ResendCode } from './CodeDelivery.tsx';
import { CodeForm } from './CodeForm.tsx';
import type { FactorParts } from './factors/factor-parts.tsx';
import styles from './second-factor.module.css';
import { SigningInAs } from './SigningInAs.tsx';

interface FactorScreenProps {
  /** What the user can prove, the first to ask for first. */
  ways: readonly OfferedWay[];
  /** Whether the service listed the ways, and so knows the names of all factors. */
  isListed: boolean;
  /** The parts, if they have been loaded. */
  loaded?: FactorParts;
}

/** The texts for users who cannot use what they are asked for. */
const supportTexts: Record<Way, MessageKey> = {
  sms: 'secondFactor.noPhone',
  email: 'authenticator.noMailbox',
  totp: 'authenticator.noApp',
  passkey: 'authenticator.noPasskey',
  'recovery-code': 'authenticator.noApp',
};

/** The headings of what is not a code, once their texts have loaded. */
const headings: Partial<Record<Way, MessageKey>> = {
  passkey: 'authenticator.passkeyHeading',
  'recovery-code': 'authenticator.useRecoveryCode',
};

const headingOf = (way: Way, isShown: boolean): MessageKey =>
  way in headings && !isShown ? 'titles.second-factor-required' : (headings[way] ?? 'secondFactor.heading');

/** Asks for one second factor, and offers the others. */
export function FactorScreen({ ways, isListed, loaded }: FactorScreenProps): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const [chosen, setChosen] = useState<{ ways: typeof ways; present: OfferedWay }>();
  const present = chosen?.ways === ways ? chosen.present : ways[0];
  const others = ways.filter((one) => one !== present);
  // The code by text message needs no further part, so most users do not wait for it.
  const parts = useFactorParts(
    ways.some(({ way }) => way !== 'sms'),
    loaded,
  );
  const place = useRef<HTMLDivElement>(null);
  const isShown = present?.way === 'sms' || parts !== undefined;
  const shown = isShown ? present : undefined;
  // The entrance of the step focuses what is shown first; this focuses what follows: after loading, or another way.
  useFocusAfterChange(place, shown, loaded ? undefined : shown);

  const choose = (other: OfferedWay): void => {
    send({ type: 'CODE_ERROR_CLEARED' });
    setChosen({ ways, present: other });
  };
  if (present === undefined) return <NothingToAsk />;
  const { way, hint } = present;
  return (
    <div ref={place}>
      <SiteHeading>{t(headingOf(way, isShown))}</SiteHeading>
      {isShown ? askFor() : <p>{t('common.loading')}</p>}
      {parts && others.length > 0 && <parts.OtherWays key={`not ${way}`} ways={others} onChoose={choose} />}
      {isShown && <ClientSupport message={supportTexts[way]} />}
    </div>
  );

  function askFor(): ReactNode {
    const above = (
      <>
        <SigningInAs />
        <FormAlert />
      </>
    );
    if (way === 'totp') return parts && <parts.AppCode isNamed={isListed}>{above}</parts.AppCode>;
    if (way === 'passkey') return parts && <parts.PasskeyFactor>{above}</parts.PasskeyFactor>;
    if (way === 'recovery-code') return parts && <parts.RecoveryCodeForm>{above}</parts.RecoveryCodeForm>;
    return (
      <MessageCode key={way} factor={way} hint={hint} isNamed={isListed || present !== ways[0]} place={place}>
        {above}
      </MessageCode>
    );
  }
}

/** Focuses the first input of a place after a change of what is shown there. `focused` is what has the focus already. */
function useFocusAfterChange<Shown>(
  place: RefObject<HTMLElement | null>,
  shown: Shown,
  focused: Shown,
): void {
  const last = useRef(focused);
  useLayoutEffect(() => {
    if (shown && shown !== last.current) focusStep(place.current);
    last.current = shown;
  }, [place, shown]);
}

/** Loads what few users need: the other factors and their texts. */
function useFactorParts(isNeeded: boolean, loaded: FactorParts | undefined): FactorParts | undefined {
  const send = useSend();
  const [parts, setParts] = useState(loaded);
  const isDue = isNeeded && parts === undefined;
  useEffect(() => {
    if (!isDue) return;
    let isShown = true;
    Promise.all([
      requirePart('factor-parts', () => import('./factors/factor-parts.tsx')),
      loadTexts('authenticator'),
    ]).then(
      ([part]) => isShown && setParts(part.factorParts),
      () => isShown && send({ type: 'CALL_FAILED', failure: { kind: 'unreachable' } }),
    );
    return () => {
      isShown = false;
    };
  }, [isDue, send]);
  return parts;
}

interface MessageCodeProps {
  factor: MessageFactor;
  hint: string | undefined;
  /** Whether the code is sent with the name of its factor. */
  isNamed: boolean;
  place: RefObject<HTMLElement | null>;
  /** Content above the form. */
  children: ReactNode;
}

/** The code by text message or e-mail. */
function MessageCode({ factor, hint, isNamed, place, children }: MessageCodeProps): ReactNode {
  const { t, sentences } = useLanguage();
  const firstCode = useFirstCode(factor);
  const deliveryId = useId();
  const { required, check } = messageTexts[factor];
  const resend = <ResendCode factor={factor} firstCode={firstCode} />;
  const content = firstCode === 'limited' ? 'wait' : 'code';
  useFocusAfterChange(place, content, content);
  return (
    <>
      <CodeDelivery id={deliveryId} factor={factor} hint={hint} firstCode={firstCode} />
      {children}
      {content === 'code' ? (
        <CodeForm
          required={t(required)}
          wrong={sentences('mfa.errors.invalidCodeHeading', check)}
          describedBy={deliveryId}
          factor={isNamed ? factor : undefined}
        >
          {resend}
        </CodeForm>
      ) : (
        <div className={styles.alone}>{resend}</div>
      )}
    </>
  );
}

/** The service lists only factors that this page does not know. */
function NothingToAsk(): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <SiteHeading>{t('titles.second-factor-required')}</SiteHeading>
      <SigningInAs />
      <p>{t('mfa.errors.notConfigured')}</p>
    </>
  );
}
