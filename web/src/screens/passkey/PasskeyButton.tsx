import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { asBase } from '../../api/client.ts';
import { returnUrl } from '../../flow/context.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/button/Button.tsx';
import { InlineIcon } from '../../ui/icon/InlineIcon.tsx';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import { useCorrelation, useFlow, useSend } from '../flow-context.tsx';
import { canFillIn, signInWithPasskey } from '../passkey-ceremonies.ts';
import styles from './passkey-button.module.css';

/** The strokes of a key (see InlineIcon). */
const key = 'M8 8.5a3.5 3.5 0 1 0 .01 0ZM11.5 12h9.25M17 12v3M20 12v2.25';

/** A challenge is valid for five minutes; autofill gets a new one before it expires. */
const renewalMs = 4 * 60 * 1000;

interface PasskeyButtonProps {
  /** Called with the reason why no passkey was used, and without one when it is over. */
  onProblem: (problem: MessageKey | undefined) => void;
}

/** Signs in, or confirms a signed-in user, with a passkey from the button or from autofill in the user-name field. */
export function PasskeyButton({ onProblem }: PasskeyButtonProps): ReactNode {
  const { t, locale } = useLanguage();
  const send = useSend();
  const correlation = useCorrelation();
  const state = useFlow((whole) => whole);
  const [isVerifying, setVerifying] = useState(false);
  const lacksFactor = useFlow(({ error }) => error?.kind === 'SiteRequiresMfa');
  const [round, setRound] = useState(0);
  const [wasUsed] = useState(wasLastUsed);
  const running = useRef<AbortController>(undefined);
  // The visitor has opened the prompt, or chosen a passkey in autofill. Until its end, autofill waits.
  const isAsked = useRef(false);

  const ask = async (isFilledIn: boolean): Promise<void> => {
    // A browser supports only one prompt at a time.
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    isAsked.current = !isFilledIn;
    if (!isFilledIn) onProblem(undefined);
    const base = asBase(state.baseAddress);
    const result = await signInWithPasskey(
      {
        body: { returnUrl: returnUrl(state), site: state.site, authSite: state.context?.session.authSite },
        environment: { correlation, locale, base, extensions: ['passkeys'] },
        signal: controller.signal,
        isFilledIn,
      },
      () => {
        isAsked.current = true;
        setVerifying(true);
      },
    );
    // The visitor's prompt has replaced this one, or the screen has been unmounted.
    if (controller.signal.aborted) return;
    // Failures of autofill before a choice are silent.
    if (!isAsked.current) return;
    isAsked.current = false;
    setVerifying(false);
    const by = 'authenticate';
    if ('answer' in result) {
      noteLastUsed(result.isOfThisDevice);
      return send({ type: 'AUTH_ANSWERED', answer: result.answer, by, time: result.timing });
    }
    setRound((before) => before + 1);
    if ('problem' in result) onProblem(`passkey.errors.${result.problem}`);
    else send({ type: 'AUTH_FAILED', failure: result.failure });
  };

  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    let timer: number | undefined;
    let isShown = true;
    const offer = (): void => {
      if (!isAsked.current) void latest.current(true);
    };
    canFillIn().then(
      (can) => {
        if (!can || !isShown) return;
        markField();
        offer();
        timer = window.setInterval(offer, renewalMs);
      },
      // The button remains.
      () => {},
    );
    return () => {
      isShown = false;
      window.clearInterval(timer);
    };
  }, [round, state.lookedUpUserName]);
  useEffect(() => () => running.current?.abort(), []);

  // The visitor signs in with a password.
  const isPasswordSent = useRef(false);
  useEffect(() => {
    isPasswordSent.current = state.loading && !isAsked.current;
    if (isPasswordSent.current) onProblem(undefined);
  }, [state.loading, onProblem]);
  // The service has accepted the password: the sign-in goes on with another step, or the page is left.
  useEffect(() => () => void (isPasswordSent.current && noteLastUsed(false)), []);
  useEffect(() => {
    if (state.leavingTo !== undefined && isPasswordSent.current) noteLastUsed(false);
  }, [state.leavingTo]);

  return (
    <>
      <Button
        action="use-passkey"
        variant="secondary"
        isPending={isVerifying}
        onPress={() => !state.loading && !isVerifying && void ask(false)}
      >
        <InlineIcon path={key} />
        {t(state.page === 'elevate' ? 'passkey.confirm' : 'passkey.signIn')}
      </Button>
      {wasUsed && <span className={styles.lastUsed}>{t('passkey.lastUsed')}</span>}
      {/* The way on after a password alone was not enough for the site. */}
      <output>{lacksFactor && t('passkey.instead')}</output>
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

/** Says only that the last sign-in in this browser was with a passkey of this device: no name, no site. */
const storageKey = 'anteroom_passkey_last';

function wasLastUsed(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}

function noteLastUsed(isLastUsed: boolean): void {
  try {
    if (isLastUsed) localStorage.setItem(storageKey, '1');
    else localStorage.removeItem(storageKey);
  } catch {
    // If storage is blocked, the page does not say it.
  }
}
