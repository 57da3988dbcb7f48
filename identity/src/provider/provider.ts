import type { Context } from 'koa';
import { serialiseCookie } from '../http/cookies.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Services } from '../services.ts';
import { createFinishSignIn } from './finish.ts';
import type { FinishSignIn } from './finish.ts';
import { createBackChannel } from '../sign-out/back-channel.ts';
import type { BackChannel } from '../sign-out/back-channel.ts';
import { createProvider } from './create-provider.ts';
import type { AnswerRequest } from './create-provider.ts';
import { applicationsOf } from './provider-sessions.ts';
import type { SignedInApplications } from './provider-sessions.ts';

/** The OpenID provider as the rest of the service uses it. */
export type OpenidProvider = {
  answer: AnswerRequest;
  /** Reports the completed steps to the provider. */
  finishSignIn: FinishSignIn;
  /** The applications that the user of this browser is signed in to. */
  findApplications: (exchange: Exchange) => Promise<SignedInApplications>;
  /** The provider's session of this browser, if a user is signed in. */
  findSession: (exchange: Exchange) => Promise<{ uid: string; accountId: string } | undefined>;
  /** Deletes the provider's session cookies in the browser. */
  forgetSession: (exchange: Exchange) => void;
  /** Notifies applications of ended sessions, in the background. */
  notifyApplications: BackChannel['sendDueNotices'];
  /** Resolves when no sign-out notification is in flight. */
  settle: () => Promise<void>;
};

export function createOpenidProvider(
  services: Services,
  cookie: { name: string; secure: boolean },
): OpenidProvider {
  const { provider, answer } = createProvider(services, cookie);
  const forgotten = [cookie.name, `${cookie.name}.sig`].map((name) =>
    serialiseCookie(name, '', { httpOnly: true, secure: cookie.secure, sameSite: 'Lax', maxAgeSeconds: 0 }),
  );
  const backChannel = createBackChannel(provider, services);

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
    notifyApplications: backChannel.sendDueNotices,
    settle: backChannel.settle,
  };
}
