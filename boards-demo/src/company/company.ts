import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { messagePage, signInPage } from './pages.ts';
import { findEmployee } from './people.ts';
import { companyPath, createCompanyProvider } from './provider.ts';

export type CompanyConfig = {
  /** The portal's address; the company is below it. */
  publicUrl: string;
  /** Sign-in services that redirect users to this company. */
  signInUrls: readonly string[];
};

/**
 * A company with its own identity provider, to try out and test company sign-on with a real provider. It shares only
 * the process with the portal.
 */
export async function registerCompany(app: FastifyInstance, config: CompanyConfig): Promise<void> {
  const provider = createCompanyProvider({ ...config, issuer: `${config.publicUrl}${companyPath}` });
  const answer = provider.callback();
  // Browsers check the form target through all redirects: to the sign-in service, and finally to the portal.
  const formTargets = ["'self'", ...config.signInUrls].join(' ');
  const headers = {
    'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formTargets}; base-uri 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };

  await app.register(
    (scope, _options, done) => {
      const styles = readFileSync(new URL('company.css', import.meta.url));
      scope.get('/company.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(styles));

      scope.get<{ Params: { uid: string } }>('/sign-in/:uid', async (request, reply) => {
        const trip = await findInteraction(request, reply);
        if (trip === undefined) return sendPage(reply, forgotten(), 400);
        return sendPage(reply, signInPage(request.url, { email: trip.hint, refused: false }));
      });

      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: 4096 },
        (_request, body, parsed) => parsed(null, new URLSearchParams(String(body))),
      );
      scope.post<{ Params: { uid: string }; Body: URLSearchParams }>(
        '/sign-in/:uid',
        async (request, reply) => {
          const trip = await findInteraction(request, reply);
          if (trip === undefined) return sendPage(reply, forgotten(), 400);
          const email = request.body.get('email') ?? '';
          const employee = findEmployee(email, request.body.get('password') ?? '');
          if (employee === undefined) {
            return sendPage(reply, signInPage(request.url, { email, refused: true }));
          }
          reply.hijack();
          await provider.interactionFinished(request.raw, reply.raw, { login: { accountId: employee.sub } });
          return reply;
        },
      );
      done();
    },
    { prefix: companyPath },
  );

  await app.register(
    (scope, _options, done) => {
      // The provider parses bodies itself.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
      scope.all('/*', async (request, reply) => {
        reply.hijack();
        for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value);
        const url = request.raw.url ?? '';
        // Sets the addresses as a framework does that mounts the provider below a path.
        Object.assign(request.raw, { originalUrl: url, url: url.slice(companyPath.length) });
        await answer(request.raw, reply.raw);
      });
      done();
    },
    { prefix: companyPath },
  );

  /** The authorization request of this browser. */
  async function findInteraction(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ hint: string } | undefined> {
    const details = await provider.interactionDetails(request.raw, reply.raw).catch(() => undefined);
    const hint = details?.params['login_hint'];
    return details && { hint: typeof hint === 'string' ? hint : '' };
  }

  function sendPage(reply: FastifyReply, markup: string, status = 200): FastifyReply {
    return reply.code(status).headers(headers).type('text/html; charset=utf-8').send(markup);
  }
}

function forgotten(): string {
  return messagePage('That took a little too long', 'Go back to where you came from and begin again.');
}
