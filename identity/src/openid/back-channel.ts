import type { Provider } from 'oidc-provider';
import type { Services } from '../services.ts';
import { allowPrivateAddresses } from './call-application.ts';
import { forgetSignOutNotice, takeDueSignOutNotices } from './sign-out-notices-store.ts';
import type { DueSignOutNotice } from './sign-out-notices-store.ts';

/**
 * Tells applications, server to server, that a session of theirs has ended (OpenID Connect Back-Channel Logout 1.0): at least once,
 * tried again with growing waits. What is to be told is kept where the session ends (`provider-sessions.ts`).
 */
export type BackChannel = {
  /** Tells what is due. Nobody waits for it: an application that does not answer keeps nobody signed in. */
  tellDue: (this: void) => void;
  /** Resolves once nobody is being told any more: for a process that stops. */
  settle: (this: void) => Promise<void>;
};

type Needed = Pick<Services, 'database' | 'clock' | 'log' | 'metrics' | 'audit' | 'random'>;

const atOnce = 20;

/**
 * Only addresses that an operator has registered are called, for at most 2.5 seconds, and no redirect is followed. In production
 * an address of the inner network is called only for clients with `backchannel_logout_private`.
 */
export function createBackChannel(provider: Provider, services: Needed): BackChannel {
  const { database, clock, log } = services;
  let underWay: Promise<void> | undefined;
  /** More may have become due since the last look. */
  let isAskedAgain = false;

  /** The token is signed anew for each try. False where there is no address any more. */
  async function call({ clientId, personId, sid }: DueSignOutNotice): Promise<boolean> {
    const client = await provider.Client.find(clientId);
    if (client?.backchannelLogoutUri === undefined) return false;
    // the provider's types leave it out (`models/client.js` of oidc-provider)
    const { backchannelLogout } = client;
    if (typeof backchannelLogout !== 'function') throw new Error('the provider has no back channel');
    const send = async (): Promise<unknown> =>
      await Reflect.apply(backchannelLogout, client, [personId, sid]);
    await (client['backchannel_logout_private'] === true ? allowPrivateAddresses(send) : send());
    return true;
  }

  async function tellOne(notice: DueSignOutNotice): Promise<void> {
    const { clientId, personId, attempts, givenUpAt } = notice;
    try {
      if (await call(notice)) note(notice, 'told');
    } catch (error) {
      const isOver = clock.now() >= givenUpAt;
      log.warn(
        { err: error, clientId, personId, attempts, isOver },
        'an application was not told of a sign-out',
      );
      note(notice, isOver ? 'given-up' : 'failed');
      if (!isOver) return;
    }
    await forgetSignOutNotice(database, notice);
  }

  function note({ clientId, personId }: DueSignOutNotice, outcome: 'told' | 'failed' | 'given-up'): void {
    services.metrics.countSignOutNotice(outcome);
    const result = outcome === 'told' ? 'success' : 'failure';
    const reason = outcome === 'told' ? undefined : 'the application did not take it';
    const details = outcome === 'given-up' ? { givenUp: 'yes' } : {};
    // a try has no request of its own
    const occasion = { correlationId: services.random.token(16) };
    services.audit.note({ event: 'sign-out.notice', result, reason, personId, clientId, details }, occasion);
  }

  async function tellAllDue(): Promise<void> {
    let due: DueSignOutNotice[];
    do {
      isAskedAgain = false;
      due = await takeDueSignOutNotices(database, clock.now(), atOnce);
      // side by side: one that does not answer must not keep the others waiting
      await Promise.all(due.map(tellOne));
    } while (due.length > 0 || isAskedAgain);
  }

  return {
    tellDue() {
      isAskedAgain = true;
      underWay ??= tellAllDue()
        .catch((error: unknown) => log.warn({ err: error }, 'applications could not be told of sign-outs'))
        .finally(() => (underWay = undefined));
    },
    async settle() {
      while (underWay !== undefined) await underWay;
    },
  };
}
