import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** The minimum settings of production. */
const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://id.example',
  DATABASE_URL: 'postgres://anteroom@db/anteroom',
  SECRETS: secret(),
  SIGNING_JWKS: jwks,
  TRUSTED_PROXIES: 'none',
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
  test('the product has the defaults of a trial installation', () => {
    expect(parseConfig({}, '/somewhere')).toMatchObject({
      production: false,
      port: 4400,
      publicUrl: 'http://localhost:4400',
      database: { kind: 'embedded', directory: '/somewhere/.data' },
      demoData: true,
      outbox: true,
      passwords: { memoryKib: 19_456, timeCost: 2 },
      sessions: { idleSeconds: 1800, absoluteSeconds: 43_200 },
      metrics: undefined,
    });
  });

  test('longer time limits of requests extend the time for a shutdown', () => {
    expect(parseConfig({}).stop).toEqual({ drainSeconds: 0, finishSeconds: 7 });
    expect(parseConfig(production).stop).toEqual({ drainSeconds: 3, finishSeconds: 7 });
    const patient = {
      HASH_QUEUE_SECONDS: '30',
      DATABASE_STATEMENT_TIMEOUT_SECONDS: '60',
      DRAIN_SECONDS: '10',
    };
    expect(parseConfig(patient).stop).toEqual({ drainSeconds: 10, finishSeconds: 30 + 30 + 60 + 3 });
  });

  test('an empty variable counts as not set', () => {
    expect(parseConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({
      port: 4400,
      database: { kind: 'embedded' },
    });
  });
});

describe('invalid settings', () => {
  test('are all reported at once, by name [F11]', () => {
    const reported = problems({
      PORT: 'x',
      LOG_LEVEL: 'loud',
      TRUSTED_PROXIES: 'everybody',
      SECRETS: 'short',
    });
    expect(reported.map((problem) => problem.split(':')[0])).toEqual([
      'PORT',
      'SECRETS',
      'TRUSTED_PROXIES',
      'LOG_LEVEL',
    ]);
  });

  test('rules between settings are checked even if some values are invalid', () => {
    const reported = problems({
      ...production,
      LOG_LEVEL: 'loud',
      PUBLIC_URL: 'id.example',
      DEMO_DATA: 'true',
    });
    expect(reported.map((problem) => problem.split(':')[0])).toEqual([
      'PUBLIC_URL',
      'LOG_LEVEL',
      'DEMO_DATA',
    ]);
    expect(reported[1]).toBe('LOG_LEVEL: must be fatal, error, warn, info, debug, trace or silent');
  });

  test('a name that resembles a setting stops the start with a suggestion, other variables are ignored', () => {
    expect(
      problems({ SESION_IDLE_MINUTES: '10', PATH: '/bin', HOSTNAME: 'x', KUBERNETES_PORT: 'y' }),
    ).toEqual(['SESION_IDLE_MINUTES: there is no such setting; did you mean SESSION_IDLE_MINUTES?']);
  });

  test.each([
    ['one letter', 'a'.repeat(64)],
    ['a short text again and again', 'correct horse'.repeat(5)],
    ['the alphabet', 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ'],
    ['digits that repeat', '0123456789abcdef'.repeat(4)],
  ])('a secret of %s is refused', (_name, value) => {
    expect(problems({ SECRETS: value })[0]).toContain('SECRETS: each must be random');
  });

  test('random secrets are accepted in base64url and hexadecimal', () => {
    for (let count = 0; count < 500; count += 1)
      expect(problems({ SECRETS: `${secret()},${randomBytes(32).toString('hex')}` })).toEqual([]);
  });

  test.each([
    ['PORT', '65536'],
    ['PORT', '0'],
    ['PUBLIC_URL', 'https://id.example/path'],
    ['PUBLIC_URL', 'ftp://id.example'],
    ['PUBLIC_URL', 'id.example'],
    ['DATABASE_URL', 'mysql://db'],
    ['DATABASE_URL', 'postgres://anteroom:pass/word@db:5432/anteroom'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0'],
    ['SIGNING_JWKS', '{}'],
    ['SIGNING_JWKS', '{"keys":[{"kty":"EC","kid":"a","alg":"ES256","d":"x"}]}'],
    ['DEMO_DATA', 'yes'],
    ['REGIONS', 'eu=https://eu.id.example/ui/'],
    ['SESSION_IDLE_MINUTES', '61'],
    ['SESSION_ABSOLUTE_HOURS', '25'],
    ['ARGON2_MEMORY_KIB', '-1'],
    ['GLOBAL_SUPPORT_URL', 'javascript:alert(1)'],
    ['HOME_URI', 'javascript:alert(1)'],
    ['PUBLIC_URL', 'https://user@id.example'],
    ['PUBLIC_URL', 'https://id.example?x'],
    ['MAIL_FROM', 'Board portal'],
    ['MAIL_FROM', 'Board portal <no-reply>'],
    ['MAIL_FROM', 'a@id.example, b@id.example'],
    ['MAIL_FROM', 'no-reply@id.example\u200B'],
  ])('%s=%s is refused', (name, value) => {
    expect(problems({ [name]: value }).join()).toContain(name);
  });

  test('a forward proxy requires that the operator permits private addresses', () => {
    const behindProxy = { ...production, NODE_USE_ENV_PROXY: '1' };
    expect(problems(behindProxy)).toEqual([expect.stringMatching(/^NODE_USE_ENV_PROXY: the proxy resolves/)]);
    expect(problems({ ...behindProxy, EXTERNAL_PRIVATE_ADDRESSES: 'true' })).toEqual([]);
    expect(problems({ ...production, NODE_USE_ENV_PROXY: '0' })).toEqual([]);
    expect(problems({ NODE_USE_ENV_PROXY: '1' })).toEqual([]);
    expect(problems({ NODE_USE_ENV_PROXY: '1', EXTERNAL_PRIVATE_ADDRESSES: 'false' })).toHaveLength(1);
    expect(problems({ NODE_USE_ENV_PROXY: 'yes' })).toHaveLength(1);
  });

  test.each([
    ['https://signin.corp.example:443', 'https://signin.corp.example'],
    ['HTTPS://SignIn.Corp.Example/', 'https://signin.corp.example'],
    ['http://signin.corp.example:80/', 'http://signin.corp.example'],
    ['https://anmeldung.münchen.example', 'https://anmeldung.xn--mnchen-3ya.example'],
    ['https://[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443'],
  ])('PUBLIC_URL=%s is %s', (given, publicUrl) => {
    expect(parseConfig({ PUBLIC_URL: given })).toMatchObject({ publicUrl });
  });

  test.each(['no-reply@id.example', 'Board portal <no-reply@id.example>', 'Büro <no-reply@münchen.example>'])(
    'mail from %s is sent with the host of PUBLIC_URL as the name of the client',
    (from) => {
      const settings = {
        MAIL_SENDER: 'smtp',
        SMTP_URL: 'smtp://mail.example',
        PUBLIC_URL: 'https://signin.corp.example',
      };
      expect(parseConfig({ ...settings, MAIL_FROM: from })).toMatchObject({
        messages: { mail: { from, clientName: 'signin.corp.example' } },
      });
    },
  );

  test('no message contains the value of a secret', () => {
    expect(problems({ SECRETS: 'marked', SIGNING_JWKS: '{"marked":1}' }).join()).not.toContain('marked');
  });
});

test.each([
  ['postgres://u@/anteroom?host=/socket', 'postgres://u@localhost/anteroom?host=/socket'],
  ['postgres:///anteroom?host=/socket', 'postgres:///anteroom?host=/socket'],
])('DATABASE_URL can name a socket as in libpq: %s', (given, url) => {
  expect(parseConfig({ DATABASE_URL: given }).database).toMatchObject({ urls: [url] });
});

describe('only the regions that the operator lists exist [S57]', () => {
  const own = { PUBLIC_URL: 'https://eu.id.example' };
  const both = { ...own, REGIONS: 'eu=https://eu.id.example,us=https://us.id.example' };

  test('PUBLIC_URL selects the own region, and calls and redirects to the other regions are allowed', () => {
    expect(parseConfig(both)).toMatchObject({
      regions: {
        own: { name: 'eu', url: 'https://eu.id.example' },
        others: [{ name: 'us', url: 'https://us.id.example' }],
      },
      contentPolicy: { regionOrigins: ['https://us.id.example'] },
    });
    expect(parseConfig(own).regions).toBeUndefined();
  });

  test.each([
    ['one alone', 'eu=https://eu.id.example'],
    ['without this one', 'us=https://us.id.example,ap=https://ap.id.example'],
    ['an address twice', 'eu=https://eu.id.example,us=https://eu.id.example'],
    ['a name twice', 'eu=https://eu.id.example,eu=https://us.id.example'],
    ['hosts of two domains', 'eu=https://eu.id.example,us=https://us.id.test'],
    ['no name', 'https://eu.id.example,https://us.id.example'],
  ])('%s is refused', (_name, regions) => {
    expect(problems({ ...own, REGIONS: regions }).join()).toContain('REGIONS');
  });

  test('in production regions require https and a separate key', () => {
    expect(problems({ ...production, ...both }).join()).toContain('REGION_SIGNING_JWKS');
    const plain = {
      PUBLIC_URL: 'http://eu.id.example',
      REGIONS: 'eu=http://eu.id.example,us=http://us.id.example',
    };
    expect(problems({ ...production, ...plain }).join()).toContain('REGIONS: must begin with https');
  });
});

describe('production', () => {
  test('starts with the minimum settings (control)', () => {
    expect(problems(production)).toEqual([]);
    expect(parseConfig(production)).toMatchObject({ production: true, demoData: false, outbox: false });
  });

  test.each([
    ['SECRETS', undefined],
    ['SIGNING_JWKS', undefined],
    ['PUBLIC_URL', undefined],
    ['PUBLIC_URL', 'http://id.example'],
    ['DATABASE_URL', undefined],
    ['TRUSTED_PROXIES', undefined],
    ['DEMO_DATA', 'true'],
    ['OUTBOX', 'true'],
    ['CODE_LIMITS', 'off'],
    ['ARGON2_MEMORY_KIB', '8192'],
    ['ARGON2_TIME_COST', '1'],
  ])('with %s=%s refuses to start', (name, value) => {
    const [problem] = problems({ ...production, [name]: value });
    expect(problem).toContain(name.startsWith('ARGON2') ? 'ARGON2_*' : name);
  });

  test('the embedded database requires an explicit data directory', () => {
    expect(problems({ ...production, DATABASE_URL: undefined, DATA_DIR: '/var/lib/anteroom' })).toEqual([]);
  });

  test('parameters that OWASP considers equally strong are accepted', () => {
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

test('a secret can be in a file that NAME_FILE names', () => {
  const directory = mkdtempSync(join(tmpdir(), 'anteroom-config-'));
  const file = join(directory, 'secrets');
  const value = secret();
  writeFileSync(file, `${value}\n`);
  expect(parseConfig({ SECRETS_FILE: file }).secrets).toEqual([value]);
  expect(problems({ SECRETS_FILE: file, SECRETS: value })).toEqual([
    'SECRETS: is set twice, as SECRETS and as SECRETS_FILE',
  ]);
  expect(problems({ SECRETS_FILE: `${file}-missing` })).toEqual([
    'SECRETS_FILE: the file cannot be read (ENOENT)',
  ]);
  for (const [content, reason] of [
    [Buffer.from(`\ufeff${value}`, 'utf16le'), 'is UTF-16, not UTF-8'],
    [Buffer.from('pässwort', 'latin1'), 'is not UTF-8'],
    ['smtp://mail.example\nsmtp://other.example\n', 'has more than one line'],
  ] as const) {
    writeFileSync(file, content);
    expect(problems({ SMTP_URL_FILE: file })).toContain(`SMTP_URL_FILE: the file ${reason}`);
  }
  writeFileSync(file, `\ufeff${value}\r\n`);
  expect(parseConfig({ SECRETS_FILE: file }).secrets).toEqual([value]);
  rmSync(directory, { recursive: true });
});

test('several secrets form a key ring, and the first secret is the current one', () => {
  const [present, older] = [secret(), secret()];
  expect(parseConfig({ SECRETS: `${present}, ${older}` }).secrets).toEqual([present, older]);
});
