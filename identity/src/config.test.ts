import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';

const secret = (): string => randomBytes(32).toString('base64url');
const jwks = JSON.stringify({
  keys: [
    {
      ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
      kid: 'one',
      alg: 'ES256',
    },
  ],
});

/** The least that production starts with. */
const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://id.example',
  DATABASE_URL: 'postgres://anteroom@db/anteroom',
  SECRETS: secret(),
  SIGNING_JWKS: jwks,
  SMS_SENDER: 'none',
  MAIL_SENDER: 'none',
};

function problems(variables: Record<string, string | undefined>): readonly string[] {
  try {
    parseConfig(variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('without any variable', () => {
  test('the product runs to be tried out', () => {
    expect(parseConfig({}, '/somewhere')).toMatchObject({
      production: false,
      port: 4400,
      publicUrl: 'http://localhost:4400',
      database: { kind: 'embedded', directory: '/somewhere/.data' },
      demoData: true,
      outbox: true,
      passwords: { memoryKib: 19_456, timeCost: 2, parallelism: 1 },
      sessions: { idleSeconds: 1800, absoluteSeconds: 43_200 },
      metrics: undefined,
    });
  });

  test('an empty variable is one that is not set', () => {
    expect(parseConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({
      port: 4400,
      database: { kind: 'embedded' },
    });
  });
});

describe('what is wrong', () => {
  test('is told all at once, by name', () => {
    const told = problems({ PORT: 'x', LOG_LEVEL: 'loud', TRUSTED_PROXIES: 'everybody', SECRETS: 'short' });
    expect(told.map((problem) => problem.split(':')[0])).toEqual([
      'PORT',
      'SECRETS',
      'TRUSTED_PROXIES',
      'LOG_LEVEL',
    ]);
  });

  test.each([
    ['PORT', '65536'],
    ['PORT', '0'],
    ['PUBLIC_URL', 'https://id.example/path'],
    ['PUBLIC_URL', 'ftp://id.example'],
    ['PUBLIC_URL', 'id.example'],
    ['DATABASE_URL', 'mysql://db'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0'],
    ['SIGNING_JWKS', '{}'],
    ['SIGNING_JWKS', '{"keys":[{"kty":"EC","kid":"a","alg":"ES256","d":"x"}]}'],
    ['DEMO_DATA', 'yes'],
    ['REGION_ORIGINS', 'https://eu.id.example/ui/'],
    ['SESSION_IDLE_MINUTES', '61'],
    ['SESSION_ABSOLUTE_HOURS', '25'],
    ['ARGON2_MEMORY_KIB', '-1'],
    ['GLOBAL_SUPPORT_URL', 'javascript:alert(1)'],
  ])('%s=%s is refused', (name, value) => {
    expect(problems({ [name]: value }).join()).toContain(name);
  });

  test('the value of a secret is never repeated', () => {
    expect(problems({ SECRETS: 'marked', SIGNING_JWKS: '{"marked":1}' }).join()).not.toContain('marked');
  });
});

describe('production', () => {
  test('starts with the least it needs (control)', () => {
    expect(problems(production)).toEqual([]);
    expect(parseConfig(production)).toMatchObject({ production: true, demoData: false, outbox: false });
  });

  test.each([
    ['SECRETS', undefined],
    ['SIGNING_JWKS', undefined],
    ['PUBLIC_URL', undefined],
    ['PUBLIC_URL', 'http://id.example'],
    ['DATABASE_URL', undefined],
    ['DEMO_DATA', 'true'],
    ['OUTBOX', 'true'],
    ['SAMPLE_DESTINATION', 'true'],
    ['ARGON2_MEMORY_KIB', '8192'],
    ['ARGON2_TIME_COST', '1'],
  ])('with %s=%s refuses to start', (name, value) => {
    const [problem] = problems({ ...production, [name]: value });
    expect(problem).toContain(name.startsWith('ARGON2') ? 'ARGON2_*' : name);
  });

  test('the embedded database has to be meant', () => {
    expect(problems({ ...production, DATABASE_URL: undefined, DATA_DIR: '/var/lib/anteroom' })).toEqual([]);
  });

  test('what OWASP calls equally strong is taken', () => {
    for (const [memory, passes] of [
      ['47104', '1'],
      ['12288', '3'],
      ['9216', '4'],
      ['7168', '5'],
    ] as const) {
      expect(problems({ ...production, ARGON2_MEMORY_KIB: memory, ARGON2_TIME_COST: passes })).toEqual([]);
    }
  });
});

test('several secrets are a ring: the first is the present one', () => {
  const [present, older] = [secret(), secret()];
  expect(parseConfig({ SECRETS: `${present}, ${older}` }).secrets).toEqual([present, older]);
});
