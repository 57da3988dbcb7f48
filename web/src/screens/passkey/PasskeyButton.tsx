import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
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
import { useProblem } from '../use-problem.ts';

/** What went wrong in a passkey sign-in: at the device, or in a call of the service. */
type Trouble = { problem: PasskeyProblem } | { failure: Failure };

/** A challenge is valid for five minutes; autofill gets a new one before it expires. */
const renewalMs = 4 * 60 * 1000;

/** Signs in with a passkey from the button or from autofill in the user-name field. */
export function PasskeyButton(): ReactNode {
  const { t, locale } = useLanguage();
  const send = useSend();
  const correlation = useCorrelation();
  const state = useFlow((whole) => whole);
  const [isVerifying, setVerifying] = useState(false);
  const problem = useProblem<Trouble>();
  // Each prompt aborts the previous one, because a browser supports only one at a time.
  const [round, setRound] = useState(0);
  const running = useRef<AbortController>(undefined);

  const ask = async (isFilledIn: boolean): Promise<void> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    // Autofill waits for the user's choice; failures before it are silent.
    let isAsked = !isFilledIn;
    const base = asBase(state.baseAddress);
    const result = await signInWithPasskey(
      {
        body: { returnUrl: returnUrl(state), site: state.site, authSite: state.context?.session.authSite },
        environment: { correlation, locale, base, extensions: ['passkeys'] },
        signal: controller.signal,
        isFilledIn,
      },
      () => {
        isAsked = true;
        setVerifying(true);
      },
    );
    // Another prompt has replaced this one, or the screen has been unmounted.
    if (controller.signal.aborted) return;
    setVerifying(false);
    if ('answer' in result)
      return send({
        type: 'AUTH_ANSWERED',
        answer: result.answer,
        by: 'authenticate',
        time: result.timing,
      });
    if (!isAsked) return;
    show(result);
    setRound((before) => before + 1);
  };

  function show(trouble: Trouble): void {
    if (findMessage(trouble, t) !== undefined) problem.show(trouble);
    else if ('failure' in trouble) send({ type: 'CALL_FAILED', failure: trouble.failure });
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
      <Alert message={problem.message && findMessage(problem.message, t)} occurrence={problem.occurrence} />
      <LiveRegion isAssertive message={isVerifying ? t('login.signingIn') : undefined} />
    </>
  );
}

/** Enables passkey autofill on the user-name field, or on the password field for a known user. */
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

/** The message; undefined for a failure that the flow handles, because the visitor need not wait. */
function findMessage(trouble: Trouble, t: Translator['t']): string | undefined {
  if ('problem' in trouble) return t(`passkey.errors.${trouble.problem}`);
  const { code, retryAfterSeconds = 60 } = trouble.failure;
  const count = Math.max(1, Math.ceil(retryAfterSeconds / 60));
  if (code === 'rate_limit_reached') return t('error.tooManyAttempts', { count });
  return code === 'overloaded' ? t('error.busy', { count }) : undefined;
}
