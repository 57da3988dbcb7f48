import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerCompany } from './company/company.ts';
import type { DemoConfig } from './config.ts';
import { privacyPage, supportPage } from './information-pages.ts';
import { agendaPage, messagePage, portalPage, welcomePage } from './pages.ts';
import type { Notice } from './pages.ts';
import { createProviderClients, readRefusal } from './provider.ts';
import type { ProviderClient } from './provider.ts';
import { addFlow, createSessions, purposes, takeFlow } from './sessions.ts';
import type { Purpose, SignedIn } from './sessions.ts';

/**
 * The name must be distinct: browsers send cookies to all ports of a host, so on one machine the sign-in service also
 * gets this cookie.
 */
const cookieName = 'boards_demo';

const headers = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const files = [
  { url: '/portal.css', type: 'text/css; charset=utf-8' },
  { url: '/mark.svg', type: 'image/svg+xml' },
];

const unreachable: Notice = {
  title: 'Signing in is not possible right now',
  text: 'The sign-in service does not answer. Wait a moment and try again.',
};
const forgotten: Notice = {
  title: 'That took a little too long',
  text: 'The portal no longer remembers that you were on your way, perhaps because it was restarted. Please sign in again.',
};
const failed: Notice = {
  title: 'Signing in did not work',
  text: 'The answer of the sign-in service could not be used. Please try again.',
};
const cancelled: Notice = { title: 'Nothing has changed.', text: 'You came back without finishing.' };
const signedOut: Notice = { title: 'You are signed out.', text: 'See you at the next meeting.' };

/** The demo portal: a real relying party that starts every flow and shows its result. */
export function buildDemo(config: DemoConfig): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true });
  const providers = createProviderClients(config);
  const sessions = createSessions();
  const secure = config.publicUrl.startsWith('https:');

  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  app.setErrorHandler((_error, _request, reply) => sendPage(reply, messagePage(failed), 500));
  app.setNotFoundHandler((_request, reply) =>
    sendPage(reply, messagePage({ title: 'There is nothing here', text: 'Go back, or sign in.' }), 404),
  );
  for (const { url, type } of files) {
    const content = readFileSync(new URL(`.${url}`, import.meta.url));
    app.get(url, (_request, reply) => reply.type(type).header('Cache-Control', 'max-age=3600').send(content));
  }

  if (config.company) {
    const signInUrls = [...providers.keys()];
    void app.register((scope) => registerCompany(scope, { publicUrl: config.publicUrl, signInUrls }));
  }

  const openCookie = (reply: FastifyReply, id: string): void => {
    reply.header(
      'Set-Cookie',
      `${cookieName}=${id}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
    );
  };
  const welcomeOrPortal = async (request: FastifyRequest, reply: FastifyReply, notice?: Notice) => {
    const signedIn = sessions.find(readCookie(request))?.signedIn;
    if (signedIn === undefined) {
      const languages = await providers.get(config.issuer)?.languages();
      return sendPage(reply, welcomePage(languages ?? [], notice));
    }
    // The account page of this project's identity service; other services might not have such a page.
    const accountAddress = `${signedIn.issuer}/ui/account?refererClientId=${encodeURIComponent(config.clientId)}`;
    return sendPage(reply, portalPage(signedIn, accountAddress, notice ?? takeNotice(signedIn)));
  };

  app.get('/', (request, reply) => welcomeOrPortal(request, reply));
  app.get('/cancelled', (request, reply) => welcomeOrPortal(request, reply, cancelled));
  app.get('/signed-out', (request, reply) => welcomeOrPortal(request, reply, signedOut));

  // The target of a link in an e-mail. A visitor who is not signed in signs in first and then returns here.
  app.get('/agenda', async (request, reply) => {
    const signedIn = sessions.find(readCookie(request))?.signedIn;
    if (signedIn !== undefined) return sendPage(reply, agendaPage(signedIn, takeNotice(signedIn)));
    return redirectToProvider(request, reply, providers.get(config.issuer), 'sign-in', { target: '/agenda' });
  });

  // The console of this project's identity service.
  app.get('/go/console', (_request, reply) => reply.redirect(`${config.issuer}/console/`, 303));

  app.get('/support', (_request, reply) => sendPage(reply, supportPage()));
  for (const path of ['/privacy', '/privacy/:language'])
    app.get(path, (_request, reply) => sendPage(reply, privacyPage()));

  /** Redirects the browser to a provider and stores the values that its answer must contain. */
  async function redirectToProvider(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: ProviderClient | undefined,
    ...parameters: Parameters<ProviderClient['begin']>
  ): Promise<FastifyReply> {
    const started = await provider?.begin(...parameters).catch(() => undefined);
    if (started === undefined) return sendPage(reply, messagePage(unreachable), 503);
    const known = sessions.find(readCookie(request));
    const { session } = known === undefined ? openFor(reply) : { session: known };
    addFlow(session, started.flow);
    return reply.redirect(started.address, 303);
  }

  for (const purpose of purposes) {
    app.get<{ Querystring: Record<string, unknown> }>(`/go/${purpose}`, async (request, reply) => {
      const { language, site, target } = request.query;
      const options = {
        language: typeof language === 'string' ? language : undefined,
        target: findTarget(config, target),
        site: typeof site === 'string' ? site : undefined,
      };
      // A signed-in user continues at the same provider.
      const signedIn = sessions.find(readCookie(request))?.signedIn;
      const issuer = purpose === 'sign-in' ? config.issuer : (signedIn?.issuer ?? config.issuer);
      return redirectToProvider(request, reply, providers.get(issuer), purpose, options);
    });
  }

  // Third-party initiated login (OpenID Connect Core, 4), used by another region that has taken over the sign-in.
  app.get<{ Querystring: Record<string, unknown> }>('/initiate-sign-in', async (request, reply) => {
    const { iss, login_hint: loginHint, ui_locales: language, target_link_uri: target } = request.query;
    const provider = typeof iss === 'string' ? providers.get(iss) : undefined;
    if (provider === undefined) return sendPage(reply, messagePage(failed), 400);
    const options = {
      loginHint: typeof loginHint === 'string' ? loginHint : undefined,
      language: typeof language === 'string' ? language : undefined,
      target: findTarget(config, target),
    };
    return redirectToProvider(request, reply, provider, 'sign-in', options);
  });

  app.get('/callback', async (request, reply) => {
    const answer = new URL(request.url, config.publicUrl);
    const id = readCookie(request);
    const session = sessions.find(id);
    const flow = session && takeFlow(session, answer.searchParams.get('state') ?? '');
    // For a signed-in user, an answer that was already used (for example after Back) changes nothing.
    if (flow === undefined && session?.signedIn !== undefined) return reply.redirect('/', 303);
    if (session === undefined || flow === undefined) return sendPage(reply, messagePage(forgotten), 400);
    try {
      const tokens = await requireProvider(flow.issuer).finish(flow, answer);
      sessions.end(id);
      session.signedIn = { ...tokens, done: flow.purpose, issuer: flow.issuer };
      openCookie(reply, sessions.open(session).id);
      return await reply.redirect(flow.target ?? '/', 303);
    } catch (error) {
      return sendPage(reply, messagePage(explain(error, flow.purpose), session.signedIn), 400);
    }
  });

  // The sign-in service frames this page during a sign-out (OpenID Connect Front-Channel Logout 1.0). Needs no cookie,
  // because a browser may send none in a frame.
  app.get<{ Querystring: { iss?: unknown; sid?: unknown } }>('/front-channel-sign-out', (request, reply) => {
    const { iss, sid } = request.query;
    if (typeof iss === 'string' && providers.has(iss) && typeof sid === 'string') sessions.endNamed(iss, sid);
    return reply
      .header(
        'Content-Security-Policy',
        `default-src 'none'; frame-ancestors ${[...providers.keys()].join(' ')}`,
      )
      .type('text/plain; charset=utf-8')
      .send('');
  });

  app.get('/sign-out', async (request, reply) => {
    const id = readCookie(request);
    const signedIn = sessions.find(id)?.signedIn;
    sessions.end(id);
    reply.header('Set-Cookie', `${cookieName}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`);
    const address =
      signedIn &&
      (await requireProvider(signedIn.issuer)
        .endSessionAddress(signedIn.idToken)
        .catch(() => undefined));
    return await reply.redirect(address ?? '/signed-out', 303);
  });

  return app;

  function requireProvider(issuer: string): ProviderClient {
    const provider = providers.get(issuer);
    if (provider === undefined) throw new Error('A provider that the portal does not trust');
    return provider;
  }

  function openFor(reply: FastifyReply) {
    const opened = sessions.open();
    openCookie(reply, opened.id);
    return opened;
  }
}

const finishedActions: Record<Purpose, Notice> = {
  'sign-in': { title: 'You are signed in.' },
  'switch-site': { title: 'This is the board you chose.' },
  'change-password': { title: 'Your password has been changed.' },
  elevate: { title: 'You have confirmed that it is you.' },
};

/** Reports a finished action once, so that a reload does not repeat the notice. */
function takeNotice(signedIn: SignedIn): Notice | undefined {
  const { done } = signedIn;
  signedIn.done = undefined;
  return done && { ...finishedActions[done], done };
}

/** Pages that a link can open after a sign-in. */
const targets = ['/agenda'];

/** The page of a target link if it is allowed, because anyone can create such a link (OpenID Connect Core, 4). */
function findTarget({ publicUrl }: DemoConfig, text: unknown): string | undefined {
  return targets.find((path) => text === path || text === `${publicUrl}${path}`);
}

/** Users of company sign-on have no password here. */
const noPassword: Notice = {
  title: 'There is no password to change',
  text: 'You sign in with your company’s own account: your password is there.',
};

/** The provider's errors as texts (OpenID Connect Core, 3.1.2.6). */
const refusals: Record<string, Notice> = {
  access_denied: { title: 'You were not let in', text: 'The sign-in service did not let you in.' },
  login_required: { title: 'Please sign in', text: 'The sign-in service wants to see you first.' },
  interaction_required: { title: 'Please sign in', text: 'The sign-in service wants to see you first.' },
  temporarily_unavailable: unreachable,
  server_error: unreachable,
};

function explain(error: unknown, purpose: Purpose): Notice {
  const refusal = readRefusal(error);
  if (refusal === 'access_denied' && purpose === 'change-password') return noPassword;
  const known = refusals[refusal ?? ''];
  return known ?? (purpose === 'sign-in' ? failed : { ...failed, title: 'That did not work' });
}

function sendPage(reply: FastifyReply, markup: string, status = 200): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(markup);
}

function readCookie(request: FastifyRequest): string | undefined {
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
}
