import type { Context } from 'koa';
import { serialiseCookie } from '../http/cookies.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Services } from '../services.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { createFinishSignIn } from './finish.ts';
import type { FinishSignIn } from './finish.ts';
import { createBackChannel } from './back-channel.ts';
import type { BackChannel } from './back-channel.ts';
import { createProvider } from './provider.ts';
import type { AnswerRequest } from './provider.ts';
import { applicationsOf, endProviderSession, endProviderSessionsOf } from './provider-sessions.ts';
import type { SignedInApplication } from './provider-sessions.ts';

/** The OpenID provider as the rest of the service sees it. */
export type Openid = {
  answer: AnswerRequest;
  /** Tells the provider what the person has passed; answers the address that the browser follows from here. */
  finishSignIn: FinishSignIn;
  /** The applications that this browser is signed in at. */
  findApplications: (exchange: Exchange) => Promise<SignedInApplication[]>;
  /** Ends what applications hold through this browser: the provider's session, its grants and their tokens. They are told. */
  endSession: (exchange: Exchange) => Promise<void>;
  /**
   * For ending what applications hold of a person in every other browser, in the transaction that it belongs to. This browser's
   * is looked up before that begins: inside one nothing else may ask the database. `tellApplications` once it holds.
   */
  prepareToEndOtherSessions: (
    personId: string,
    exchange: Exchange,
  ) => Promise<{ end: (transaction: DatabaseTransaction) => Promise<void> }>;
  /** Tells applications of the sessions that have ended, anywhere; nobody waits for it. */
  tellApplications: BackChannel['tellDue'];
  /** Resolves once no application is being told of a sign-out any more. */
  settle: () => Promise<void>;
};

export function createOpenid(services: Services, cookie: { name: string; secure: boolean }): Openid {
  const { provider, answer } = createProvider(services, cookie);
  const forgotten = [cookie.name, `${cookie.name}.sig`].map((name) =>
    serialiseCookie(name, '', { httpOnly: true, secure: cookie.secure, sameSite: 'Lax', maxAgeSeconds: 0 }),
  );
  const { database } = services;
  const backChannel = createBackChannel(provider, services);

  /** The provider's own session of this browser. */
  const findSession = async ({ raw }: Exchange) => {
    const context: Context = provider.createContext(raw.request, raw.response);
    const session = await provider.Session.get(context);
    return session.accountId === undefined ? undefined : session;
  };

  return {
    answer,
    finishSignIn: createFinishSignIn(services),
    async findApplications(exchange) {
      const session = await findSession(exchange);
      return session === undefined ? [] : applicationsOf(session);
    },
    async endSession(exchange) {
      const session = await findSession(exchange);
      if (session?.accountId !== undefined) {
        const { uid, authorizations } = session;
        await database
          .transaction()
          .execute((transaction) => endProviderSession(transaction, { uid, authorizations }));
        backChannel.tellDue();
      }
      for (const line of forgotten) exchange.setHeader('set-cookie', line);
    },
    async prepareToEndOtherSessions(personId, exchange) {
      const session = await findSession(exchange);
      const except = session?.accountId === personId ? session : undefined;
      return {
        end: (transaction) => endProviderSessionsOf(transaction, personId, { except }),
      };
    },
    tellApplications: backChannel.tellDue,
    settle: backChannel.settle,
  };
}
