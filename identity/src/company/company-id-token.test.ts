import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { connect } from '../../testing/company/connect.ts';
import { startHostileProvider } from '../../testing/company/hostile-provider.ts';
import type { HostileProvider } from '../../testing/company/hostile-provider.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

// The claims of an ID token (OpenID Connect Core, 3.1.3.7), tested with a complete sign-in.

const application = useApplication({ settings: { LIMIT_ADDRESS_FAILURES: '1000' } });
let peer: HostileProvider;

beforeAll(async () => {
  peer = await startHostileProvider();
  await connect(application(), {
    name: 'corp-openid',
    settings: { issuer: peer.issuer, clientId: peer.clientId },
    provisioning: 'just_in_time',
    domains: ['corp.example'],
    sites: ['corp'],
  });
});
afterAll(() => peer.close());
beforeEach(() => application().services.database.deleteFrom('audit_events').execute());

/** Signs in at the provider with these claims in its ID token; `isForced` requests fresh authentication (`max_age`). */
async function signIn(claims: Record<string, unknown>, isForced = false) {
  const browser = application().openBrowser();
  const { returnUrl } = await beginSignIn(browser, portal, isForced ? { prompt: 'login' } : {});
  const query = { site: 'corp', returnUrl, forceAuthentication: String(isForced) };
  const left = await browser.visit(`/api/ui/auth/external/redirect?${new URLSearchParams(query).toString()}`);
  const asked = new URL(left.headers['location'] ?? '').searchParams;
  expect(asked.has('max_age')).toBe(isForced);
  Object.assign(peer, { nonce: asked.get('nonce') ?? '', recipe: { claims } });
  const answer = { code: 'code', state: asked.get('state') ?? '', iss: peer.issuer };
  const back = await browser.visit(`/external/callback?${new URLSearchParams(answer).toString()}`);
  const { services } = application();
  await services.audit.flush();
  const noted = await services.database
    .selectFrom('audit_events')
    .select(['result', 'reason'])
    .where('event', '=', 'external.prove')
    .execute();
  return {
    page: new URL(back.headers['location'] ?? '', publicUrl).pathname,
    isSignedIn: (await browser.call('/api/ui/sites', { returnUrl })).status === 200,
    noted,
  };
}

const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
const refusedByLibrary = (check: string): string => `the provider’s answer was refused: ${check}`;

type Refusal = [name: string, reason: string, claims: () => Record<string, unknown>, isForced?: boolean];
const refusals: Refusal[] = [
  [
    'an azp of another client',
    'ID token: the authorized party (azp) is another client',
    () => ({ azp: 'another-client' }),
  ],
  [
    'an azp that is no text',
    'ID token: the authorized party (azp) is another client',
    () => ({ azp: ['anteroom'] }),
  ],
  [
    'several audiences and the azp of another client',
    refusedByLibrary('unexpected ID Token "azp" (authorized party) claim value'),
    () => ({ aud: ['anteroom', 'another-client'], azp: 'another-client' }),
  ],
  [
    'several audiences and no azp',
    refusedByLibrary('ID Token "aud" (audience) claim includes additional untrusted audiences'),
    () => ({ aud: ['anteroom', 'another-client'] }),
  ],
  [
    'another audience',
    refusedByLibrary('unexpected JWT "aud" (audience) claim value'),
    () => ({ aud: 'another-client', azp: 'anteroom' }),
  ],
  ['an iat an hour ahead', 'ID token: issued in the future', () => ({ iat: secondsFromNow(3600) })],
  ['an iat 90 seconds ahead', 'ID token: issued in the future', () => ({ iat: secondsFromNow(90) })],
  [
    'an iat an hour ago, though it has not expired',
    'ID token: issued too long ago',
    () => ({ iat: secondsFromNow(-3600) }),
  ],
  [
    'an authentication in the future',
    'ID token: the user has authenticated in the future',
    () => ({ auth_time: secondsFromNow(90) }),
  ],
  [
    'an authentication in the future, though a fresh authentication was requested',
    'ID token: the user has authenticated in the future',
    () => ({ auth_time: secondsFromNow(3600) }),
    true,
  ],
  [
    'an authentication time in milliseconds',
    'ID token: the user has authenticated in the future',
    () => ({ auth_time: Date.now() }),
    true,
  ],
  [
    'an authentication an hour ago, though a fresh authentication was requested',
    refusedByLibrary('too much time has elapsed since the last End-User authentication'),
    () => ({ auth_time: secondsFromNow(-3600) }),
    true,
  ],
  [
    'no authentication time, though a fresh authentication was requested',
    refusedByLibrary('JWT "auth_time" (authentication time) claim missing'),
    () => ({ auth_time: undefined }),
    true,
  ],
  [
    'an expiry 70 seconds ago',
    refusedByLibrary(
      'unexpected JWT "exp" (expiration time) claim value, expiration is past current timestamp',
    ),
    () => ({ exp: secondsFromNow(-70) }),
  ],
  [
    'the nonce of another request',
    refusedByLibrary('unexpected ID Token "nonce" claim value'),
    () => ({ nonce: 'another' }),
  ],
];

describe('an ID token is refused, with its own reason in the audit log, for [S53]', () => {
  test.each(refusals)('%s', async (_name, reason, claims, isForced) => {
    expect(await signIn(claims(), isForced)).toEqual({
      page: '/ui/home/error',
      isSignedIn: false,
      noted: [{ result: 'failure', reason }],
    });
  });
});

describe('an ID token is accepted with', () => {
  const taken: [string, () => Record<string, unknown>, boolean?][] = [
    ['our own client id as azp', () => ({ azp: 'anteroom' })],
    ['several audiences and our own client id as azp', () => ({ aud: ['anteroom', 'api'], azp: 'anteroom' })],
    [
      'an iat and an auth_time 50 seconds ahead',
      () => ({ iat: secondsFromNow(50), auth_time: secondsFromNow(50) }),
    ],
    ['an iat five minutes ago, as Microsoft Entra ID has it', () => ({ iat: secondsFromNow(-300) })],
    ['an authentication of this moment where a fresh one was asked for', () => ({}), true],
  ];
  test.each(taken)('%s', async (_name, claims, isForced) => {
    expect(await signIn(claims(), isForced)).toMatchObject({ noted: [{ result: 'success' }] });
  });
});
