import type { Provider } from 'oidc-provider';
import { createBackgroundRun } from '../lib/background-run.ts';
import type { Services } from '../services.ts';
import { allowPrivateAddresses } from '../provider/call-application.ts';
import { forgetSignOutNotice, takeDueSignOutNotices } from './sign-out-notices-store.ts';
import type { DueSignOutNotice } from './sign-out-notices-store.ts';

/**
 * Notifies applications, server to server, that a session has ended (OpenID Connect Back-Channel Logout 1.0): each
 * notice is delivered at least once, with retries at growing intervals. The notices are stored when the session ends
 * (`provider-sessions.ts`).
 */
export type BackChannel = {
  /** Sends the notices that are due, in the background: an unreachable application does not delay a sign-out. */
  sendDueNotices: (this: void) => void;
  /** Resolves when no notification is in flight, for shutdown. */
  settle: (this: void) => Promise<void>;
};

type Needed = Pick<Services, 'database' | 'clock' | 'log' | 'metrics' | 'audit' | 'random'>;

const atOnce = 20;

/**
 * Calls only addresses that an operator has registered, with a 2.5 second timeout and without following redirects. In
 * production, private addresses are called only for clients with `backchannel_logout_private`.
 */
export function createBackChannel(provider: Provider, services: Needed): BackChannel {
  const { database, clock, log } = services;

  /** Signs a new token for each attempt. Returns false if the client no longer has a logout URI. */
  async function call({ clientId, userId, sid }: DueSignOutNotice): Promise<boolean> {
    const client = await provider.Client.find(clientId);
    if (client?.backchannelLogoutUri === undefined) return false;
    // The provider's type declarations lack this method (`models/client.js` of oidc-provider).
    const { backchannelLogout } = client;
    if (typeof backchannelLogout !== 'function') throw new Error('the provider has no back channel');
    const send = async (): Promise<unknown> => await Reflect.apply(backchannelLogout, client, [userId, sid]);
    await (client['backchannel_logout_private'] === true ? allowPrivateAddresses(send) : send());
    return true;
  }

  async function sendOne(notice: DueSignOutNotice): Promise<void> {
    const { clientId, userId, attempts, givenUpAt } = notice;
    try {
      if (await call(notice)) note(notice, 'delivered');
    } catch (error) {
      const isOver = clock.now() >= givenUpAt;
      log.warn(
        { err: error, clientId, userId, attempts, isOver },
        'a back-channel logout notification failed',
      );
      note(notice, isOver ? 'given-up' : 'failed');
      if (!isOver) return;
    }
    await forgetSignOutNotice(database, notice);
  }

  function note({ clientId, userId }: DueSignOutNotice, outcome: 'delivered' | 'failed' | 'given-up'): void {
    services.metrics.countSignOutNotice(outcome);
    const result = outcome === 'delivered' ? 'success' : 'failure';
    const reason = outcome === 'delivered' ? undefined : 'the application did not accept the notification';
    const details = outcome === 'given-up' ? { givenUp: 'yes' } : {};
    // An attempt belongs to no HTTP request, so it gets its own correlation id.
    const occasion = { correlationId: services.random.token(16) };
    services.audit.note({ event: 'sign-out.notice', result, reason, userId, clientId, details }, occasion);
  }

  async function sendDue(): Promise<boolean> {
    const due = await takeDueSignOutNotices(database, clock.now(), atOnce);
    // in parallel, so that a slow application does not delay the others
    await Promise.all(due.map(sendOne));
    return due.length > 0;
  }

  const run = createBackgroundRun(sendDue, (error) =>
    log.warn({ err: error }, 'back-channel logout notifications could not be sent'),
  );
  return { sendDueNotices: run.start, settle: run.settle };
}
