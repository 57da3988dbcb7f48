import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { findSafeAddress } from '../../addresses.ts';
import { asBase } from '../../api/client.ts';
import { returnUrl } from '../../flow/context.ts';
import type { Failure } from '../../flow/events.ts';
import { useLanguage } from '../../i18n/language.ts';
import type { Translator } from '../../i18n/translator.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import { useCorrelation, useFlow, useSend } from '../flow-context.tsx';
import { canFillIn, signInWithPasskey } from '../passkey-ceremonies.ts';
import type { PasskeyProblem } from '../passkey-ceremonies.ts';

/** A challenge is good for five minutes: the list of the field gets another one before that. */
const renewalMs = 4 * 60 * 1000;

/** Signs in with a passkey, by its button or from the list that the browser shows at the user name. */
export function PasskeyPart(): ReactNode {
  const { t, locale } = useLanguage();
  const send = useSend();
  const correlation = useCorrelation();
  const state = useFlow((whole) => whole);
  const [isVerifying, setVerifying] = useState(false);
  const [problem, setProblem] = useState<{ message: string; occurrence: number }>();
  // each prompt ends the one before: a browser has one at a time
  const [round, setRound] = useState(0);
  const running = useRef<AbortController>(undefined);

  const ask = async (isFilledIn: boolean): Promise<void> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    // the list of the field waits until the user chooses; before that it fails without a word
    let isAsked = !isFilledIn;
    const base = asBase(state.baseAddress);
    const result = await signInWithPasskey(
      {
        body: { returnUrl: returnUrl(state), site: state.site, authSite: state.context?.session.authSite },
        surroundings: { correlation, locale, base, extensions: ['passkeys'] },
        signal: controller.signal,
        isFilledIn,
      },
      () => {
        isAsked = true;
        setVerifying(true);
      },
    );
    // another prompt has taken its place, or the screen has gone
    if (controller.signal.aborted) return;
    setVerifying(false);
    if ('answer' in result) {
      const { authSiteIdentityBaseUri: home, ...answer } = result.answer;
      const authSiteIdentityBaseUri = findSafeAddress(home) === undefined ? undefined : home;
      return send({
        type: 'AUTH_ANSWERED',
        answer: { ...answer, authSiteIdentityBaseUri },
        by: 'authenticate',
        time: result.timing,
      });
    }
    if (!isAsked) return;
    tell(result);
    setRound((before) => before + 1);
  };

  function tell(result: { problem: PasskeyProblem } | { failure: Failure }): void {
    const message =
      'problem' in result ? t(`passkey.errors.${result.problem}`) : findFailureMessage(result.failure, t);
    if (message !== undefined)
      setProblem((before) => ({ message, occurrence: (before?.occurrence ?? 0) + 1 }));
    else if ('failure' in result) send({ type: 'CALL_FAILED', failure: result.failure });
  }

  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    let timer: number | undefined;
    let isShown = true;
    void canFillIn().then((can) => {
      if (!can || !isShown) return;
      markField();
      void latest.current(true);
      timer = window.setInterval(() => void latest.current(true), renewalMs);
    });
    return () => {
      isShown = false;
      window.clearInterval(timer);
      running.current?.abort();
    };
  }, [round, state.lookedUpUserName]);

  return (
    <>
      <ActionButton action="use-passkey" onPress={() => !state.loading && !isVerifying && void ask(false)}>
        {t('passkey.signIn')}
      </ActionButton>
      <Alert message={problem?.message} occurrence={problem?.occurrence ?? 0} />
      <LiveRegion isAssertive message={isVerifying ? t('login.signingIn') : undefined} />
    </>
  );
}

/** The field whose list of suggestions has the passkeys: of the user name, or of the password where the user is known. */
function markField(): void {
  for (const name of ['username', 'current-password']) {
    const field = document.querySelector<HTMLInputElement>(
      `main input[autocomplete^=${name}]:not([readonly])`,
    );
    if (field) {
      field.autocomplete = `${name} webauthn` as AutoFill;
      return;
    }
  }
}

/** Waits, in our words; everything else is the flow's. */
function findFailureMessage(
  { code, retryAfterSeconds = 60 }: Failure,
  t: Translator['t'],
): string | undefined {
  const count = Math.max(1, Math.ceil(retryAfterSeconds / 60));
  if (code === 'rate_limit_reached') return t('error.tooManyAttempts', { count });
  return code === 'overloaded' ? t('error.busy', { count }) : undefined;
}
