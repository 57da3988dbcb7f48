import { act } from 'react';
import type { RecoveryCallName } from '@anteroom/contract/recovery';
import type { AnyInput } from '../../api/send-call.ts';
import type { Failure } from '../../flow/events.ts';
import type { RecoveryPage } from '../../paths.ts';
import { draw } from '../../ui/testing/draw.tsx';
import { RecoveryApp } from './RecoveryApp.tsx';
import type { RecoveryApi, RecoveryVisit } from './recovery-visit.ts';

interface Sent {
  name: RecoveryCallName;
  body: unknown;
}

interface Stage {
  /** The calls of the page, oldest first. */
  sent: Sent[];
  /** The next call fails; later ones succeed. */
  failNext: (failure: Failure) => void;
  /** Submits the form of the page and waits for the result. */
  submit: () => Promise<void>;
}

/** Renders a recovery page with a service that accepts every call, except after `failNext`. */
export function drawRecovery(
  page: RecoveryPage,
  known: Partial<Omit<RecoveryVisit, 'api'>> = {},
  locale: Parameters<typeof draw>[1] = 'en',
): Stage {
  const sent: Sent[] = [];
  let failure: Failure | undefined;
  const timing = { retryAfterSeconds: undefined, serviceTimeMs: 0, receivedAtMs: 0 };
  const api: RecoveryApi = {
    call: (name, input) => {
      sent.push({ name, body: (input as AnyInput).body });
      const refusal = failure;
      failure = undefined;
      if (refusal) return Promise.resolve({ ok: false, failure: refusal });
      // The tests read no answer, only success or failure.
      return Promise.resolve({ ok: true, answer: undefined as never, timing });
    },
  };
  const visit: RecoveryVisit = {
    api,
    referer: { refererClientId: undefined, refererRedirectUri: undefined },
    context: { linkValidityInMinutes: 30, signInUrl: undefined, loginFlowCustomizations: undefined },
    config: {},
    link: { state: 'missing' },
    isInvitation: false,
    userName: undefined,
    ...known,
  };
  draw(<RecoveryApp page={page} visit={visit} />, locale);
  return {
    sent,
    failNext: (next) => {
      failure = next;
    },
    submit: () =>
      act(async () => {
        document.querySelector('form')?.requestSubmit();
        await Promise.resolve();
      }),
  };
}
