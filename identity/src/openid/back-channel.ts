import type { Provider } from 'oidc-provider';
import type { Exchange } from '../http/exchange.ts';
import type { Services } from '../services.ts';
import type { SignedInApplication } from './provider-sessions.ts';

/** The request in which the session ended. */
type TellOccasion = Pick<Exchange, 'correlationId' | 'address' | 'log'>;

/** Tells applications, server to server, that a session of theirs has ended (OpenID Connect Back-Channel Logout 1.0). */
export type BackChannel = {
  /** Nobody waits for it: an application that does not answer keeps nobody signed in. */
  tell: (
    this: void,
    personId: string,
    applications: readonly SignedInApplication[],
    occasion: TellOccasion,
  ) => void;
  /** Resolves once nobody is being told any more: for a process that stops. */
  settle: () => Promise<void>;
};

/**
 * Only addresses that an operator has registered are called, once, for at most 2.5 seconds, and no redirect is followed; in production
 * the provider's own guard also refuses addresses of the inner network (`fetch_request.js` of oidc-provider).
 */
export function createBackChannel(
  provider: Provider,
  { metrics, audit }: Pick<Services, 'metrics' | 'audit'>,
): BackChannel {
  const underWay = new Set<Promise<void>>();

  async function tellOne(
    personId: string,
    { clientId, sid }: SignedInApplication,
    occasion: TellOccasion,
  ): Promise<void> {
    const noted = { event: 'sign-out.notice', personId, clientId } as const;
    try {
      const client = await provider.Client.find(clientId);
      if (client?.backchannelLogoutUri === undefined) return;
      // the provider's types leave it out (`models/client.js` of oidc-provider)
      const { backchannelLogout } = client;
      if (typeof backchannelLogout !== 'function') throw new Error('the provider has no back channel');
      await Reflect.apply(backchannelLogout, client, [personId, sid]);
      metrics.countSignOutNotice('told');
      audit.note({ ...noted, result: 'success' }, occasion);
    } catch (error) {
      metrics.countSignOutNotice('failed');
      audit.note({ ...noted, result: 'failure', reason: 'the application did not take it' }, occasion);
      occasion.log.warn({ err: error, clientId, personId }, 'an application could not be told of a sign-out');
    }
  }

  return {
    tell(personId, applications, occasion) {
      for (const application of applications) {
        const telling = tellOne(personId, application, occasion);
        underWay.add(telling);
        void telling.finally(() => underWay.delete(telling));
      }
    },
    async settle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
