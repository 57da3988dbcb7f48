import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { AuditEvent, AuditEventName } from '../audit/audit.ts';
import type { Services } from '../services.ts';
import type { ExchangesByRequest } from './exchanges-by-request.ts';
import { siteOfGrant } from './grants-store.ts';
import { isAnswered } from './own-pages.ts';

/** The audit event of each grant type. */
const eventsOfGrants: Readonly<Record<string, AuditEventName>> = {
  authorization_code: 'code.exchange',
  refresh_token: 'token.refresh',
  client_credentials: 'token.issue',
};

/** Errors that clients expect: the sign-in needs a page, or the user cancelled. */
const expectedErrors = new Set([
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'login_required',
]);

/** The reason is limited in length, because the provider's messages can repeat request values. */
const reasonMaximumLength = 300;

/**
 * Records in the audit log how clients use codes, tokens and client secrets, and which requests were rejected. A
 * rejected request without a registered client is only logged.
 */
export function noteRequests(
  provider: Provider,
  { audit }: Pick<Services, 'audit'>,
  exchanges: ExchangesByRequest,
): void {
  const note = (ctx: KoaContextWithOIDC, event: Omit<AuditEvent, 'clientId'>): void =>
    audit.note({ ...factsOf(ctx), ...event }, exchanges.require(ctx.req));

  provider.on('grant.success', (ctx) => note(ctx, { event: eventOf(ctx), result: 'success' }));
  provider.on('grant.error', (ctx, error) => noteFailure(ctx, eventOf(ctx), error));
  provider.on('revocation.error', (ctx, error) => noteFailure(ctx, 'token.revoke', error));
  provider.on('authorization.error', noteRefusedRequest);
  const noteRefusedClient = (ctx: KoaContextWithOIDC, error: Error): void => {
    if (isOfAuthentication(error)) noteFailure(ctx, 'client.request', error);
    else noteRefusedRequest(ctx, error);
  };
  provider.on('pushed_authorization_request.error', noteRefusedClient);
  provider.on('introspection.error', noteRefusedClient);
  provider.on('userinfo.error', noteRefusedRequest);
  provider.on('end_session.error', noteRefusedRequest);

  // the provider emits no event for a successful revocation
  provider.use(async (ctx, next) => {
    await next();
    if (!isAnswered(ctx) || ctx.oidc.route !== 'revocation' || ctx.status !== 200) return;
    const { AccessToken: access, RefreshToken: refresh } = ctx.oidc.entities;
    const token = access ?? refresh;
    if (token === undefined) return;
    if (token.clientId === ctx.oidc.client?.clientId) note(ctx, { event: 'token.revoke', result: 'success' });
    else note(ctx, { event: 'token.revoke', result: 'failure', reason: 'a token of another application' });
  });

  function noteFailure(ctx: KoaContextWithOIDC, event: AuditEventName, error: Error): void {
    const reason = reasonOf(error);
    if (isOfAuthentication(error)) note(ctx, { event: 'client.authenticate', result: 'failure', reason });
    else note(ctx, { event, result: 'failure', reason });
  }

  function noteRefusedRequest(ctx: KoaContextWithOIDC, error: Error): void {
    const { client, route } = ctx.oidc;
    // A sign-in that has ended is not an error of the client.
    const isExpected = route === 'resume' || expectedErrors.has(error.message);
    if (client !== undefined && !isExpected)
      note(ctx, {
        event: 'client.request',
        result: 'failure',
        reason: reasonOf(error),
        details: { error: error.message, route },
      });
    else
      exchanges
        .require(ctx.req)
        .log.info(
          { route, error: error.message, reason: reasonOf(error), clientId: client?.clientId },
          'openid request refused',
        );
  }
}

const isOfAuthentication = (error: Error): boolean =>
  error instanceof errors.InvalidClientAuth || error instanceof errors.InvalidClient;

function eventOf({ oidc }: KoaContextWithOIDC): AuditEventName {
  return eventsOfGrants[String(oidc.params?.['grant_type'])] ?? 'code.exchange';
}

/** The user, site and client of a grant. An unregistered client id is omitted because it is user input. */
function factsOf({ oidc }: KoaContextWithOIDC): Pick<AuditEvent, 'userId' | 'site' | 'clientId'> {
  const { AuthorizationCode: code, RefreshToken: token, Account: account } = oidc.entities;
  const grantId = code?.grantId ?? token?.grantId;
  return {
    userId: account?.accountId ?? code?.accountId ?? token?.accountId,
    site: grantId === undefined ? undefined : siteOfGrant(grantId),
    clientId: oidc.client?.clientId,
  };
}

/** The provider's error description and internal detail. */
function reasonOf(error: Error): string {
  if (!(error instanceof errors.OIDCProviderError)) return error.message;
  return (error.error_detail ?? error.error_description ?? error.message).slice(0, reasonMaximumLength);
}
