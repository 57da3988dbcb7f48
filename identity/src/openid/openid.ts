import type { Context } from 'koa';
import { serialiseCookie } from '../http/cookies.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Services } from '../services.ts';
import { createFinishSignIn } from './finish.ts';
import type { FinishSignIn } from './finish.ts';
import { createBackChannel } from './back-channel.ts';
import type { BackChannel } from './back-channel.ts';
import { createProvider } from './provider.ts';
import type { AnswerRequest } from './provider.ts';
import { applicationsOf } from './provider-sessions.ts';
import type { SignedInApplications } from './provider-sessions.ts';

/** The OpenID provider as the rest of the service sees it. */
export type Openid = {
  answer: AnswerRequest;
  /** Tells the provider what the person has passed; answers the address that the browser follows from here. */
  finishSignIn: FinishSignIn;
  /** The applications that this browser is signed in at. */
  findApplications: (exchange: Exchange) => Promise<SignedInApplications>;
  /** The provider's own session of this browser, with a person signed in. */
  findSession: (exchange: Exchange) => Promise<{ uid: string; accountId: string } | undefined>;
  /** Takes the cookies of the provider's session from the browser. */
  forgetSession: (exchange: Exchange) => void;
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
      return session === undefined ? { applications: [] } : applicationsOf(session);
    },
    async findSession(exchange) {
      const session = await findSession(exchange);
      return session?.accountId === undefined
        ? undefined
        : { uid: session.uid, accountId: session.accountId };
    },
    forgetSession(exchange) {
      for (const line of forgotten) exchange.setHeader('set-cookie', line);
    },
    tellApplications: backChannel.tellDue,
    settle: backChannel.settle,
  };
}
