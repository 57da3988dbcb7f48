import { isIP } from 'node:net';
import * as v from 'valibot';
import { findInvisible } from '../lib/names.ts';
import { estimateBits } from '../lib/secret-strength.ts';
import { parseSigningKeys } from '../lib/signing-keys.ts';
import { parseServerUrls } from '../store/server-hosts.ts';

// The environment variables of the service; `docs/operations.md` explains them to operators.

export const wholeNumber = (minimum: number, maximum: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,12}$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(minimum, `must be at least ${minimum}`),
    v.maxValue(maximum, `must be at most ${maximum}`),
  );
const oneOf = <const T extends string[]>(...options: T) =>
  v.picklist(options, `must be ${options.slice(0, -1).join(', ')} or ${options.at(-1)}`);
const switchValue = v.pipe(
  oneOf('true', 'false'),
  v.transform((text) => text === 'true'),
);
const list = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
);
/** scheme://host[:port] without a path, because content security policies and the `Host` header contain none. */
const origin = v.pipe(
  v.string(),
  v.check((text) => {
    const url = URL.parse(text);
    const hasMore =
      url === null || `${url.pathname}${url.search}${url.hash}${url.username}${url.password}` !== '/';
    return !hasMore && /^https?:$/.test(url.protocol) && !/[?#@\\\s]/.test(text);
  }, 'must be an origin such as https://id.example, without a path'),
  v.transform((text) => new URL(text).origin),
);
/** An e-mail address, with or without a name before it. */
const mailbox = /^(?:[^<>@\p{Cc}]*<[^\s<>@",;]+@[^\s<>@",;]+>|[^\s<>@",;]+@[^\s<>@",;]+)$/u;
const httpAddress = v.pipe(
  v.string(),
  v.check((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http or https address'),
);

const defaultTimeZone = 'UTC';

const isTimeZone = (name: string): boolean => {
  // loading the time zones takes a tenth of a start
  if (name === defaultTimeZone) return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** 256 bits, as base64url or hexadecimal text; shorter ones could be guessed. */
const secretMinimumLength = 43;
/** Random secrets of this length have more bits; typed or repetitive text has fewer. */
const secretMinimumBits = 150;
const secrets = v.pipe(
  list,
  v.check(
    (values) => values.length > 0 && values.every((value) => value.length >= secretMinimumLength),
    `each must have at least ${secretMinimumLength} characters (256 bits as base64url)`,
  ),
  v.check(
    (values) => values.every((value) => estimateBits(value) >= secretMinimumBits),
    'each must be random: `npx anteroom keys` makes one, and so does `openssl rand -base64 32`',
  ),
);

/** `name=https://…`, one for each region. */
const regionList = v.pipe(
  list,
  v.check(
    (all) => all.every((entry) => /^[a-z0-9-]{1,30}=/.test(entry)),
    'must be such as eu=https://eu.id.example,us=https://us.id.example',
  ),
  v.transform((all) =>
    all.map((entry) => {
      const at = entry.indexOf('=');
      return { name: entry.slice(0, at), url: entry.slice(at + 1) };
    }),
  ),
  v.array(v.object({ name: v.string(), url: origin })),
);

const signingKeys = v.pipe(
  v.string(),
  v.transform(parseSigningKeys),
  v.custom<NonNullable<ReturnType<typeof parseSigningKeys>>>(
    (keys) => keys !== undefined,
    'must be a JWK set of private keys, each with kid and alg',
  ),
);

/** `10.0.0.7`, `10.0.0.0/8`, `::1` or `fd00::/8`. */
function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

export const environment = v.object({
  NODE_ENV: v.optional(oneOf('production', 'development', 'test'), 'development'),
  PORT: v.optional(wholeNumber(0, 65_535), '4400'),
  /** Address to listen on. */
  HOST: v.optional(v.pipe(v.string(), v.nonEmpty()), 'localhost'),
  PUBLIC_URL: v.optional(origin),
  DEMO_PORT: v.optional(wholeNumber(0, 65_535), '4401'),
  DEMO_PUBLIC_URL: v.optional(origin),
  DATA_DIR: v.optional(v.pipe(v.string(), v.nonEmpty())),
  DATABASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://'),
      v.rawTransform(({ dataset, addIssue, NEVER }) => {
        try {
          return parseServerUrls(dataset.value);
        } catch (error) {
          addIssue({ message: error instanceof Error ? error.message : String(error) });
          return NEVER;
        }
      }),
    ),
  ),
  DATABASE_POOL_SIZE: v.optional(wholeNumber(1, 500), '10'),
  DATABASE_STATEMENT_TIMEOUT_SECONDS: v.optional(wholeNumber(1, 60), '2'),
  SECRETS: v.optional(secrets),
  SIGNING_JWKS: v.optional(signingKeys),
  DEMO_DATA: v.optional(switchValue),
  OUTBOX: v.optional(switchValue),
  MANAGEMENT: v.optional(oneOf('on', 'off'), 'on'),
  WEB_DIST: v.optional(v.pipe(v.string(), v.nonEmpty())),
  TRUSTED_PROXIES: v.optional(
    v.pipe(
      list,
      v.transform((all) => (all.length === 1 && all[0] === 'none' ? [] : all)),
      v.check(
        (all) => all.every(isAddressOrNetwork),
        'must be none, or addresses or networks such as 10.0.0.0/8',
      ),
    ),
  ),
  ARGON2_MEMORY_KIB: v.optional(wholeNumber(8, 4_194_304), '19456'),
  ARGON2_TIME_COST: v.optional(wholeNumber(1, 100), '2'),
  BREACHED_PASSWORDS_FILE: v.optional(v.pipe(v.string(), v.nonEmpty())),
  HASH_CONCURRENCY: v.optional(wholeNumber(1, 256)),
  HASH_QUEUE_SECONDS: v.optional(wholeNumber(1, 30), '1'),
  LIMIT_ADDRESS_FAILURES: v.optional(wholeNumber(1, 1_000_000), '100'),
  SMS_SENDER: v.optional(oneOf('outbox', 'webhook', 'twilio', 'none')),
  SMS_WEBHOOK_URL: v.optional(httpAddress),
  SMS_WEBHOOK_TOKEN: v.optional(v.string()),
  SMS_FALLBACK_SENDER: v.optional(oneOf('webhook', 'twilio')),
  SMS_FALLBACK_WEBHOOK_URL: v.optional(httpAddress),
  SMS_FALLBACK_WEBHOOK_TOKEN: v.optional(v.string()),
  TWILIO_ACCOUNT_SID: v.optional(v.pipe(v.string(), v.regex(/^AC\w{8,64}$/, 'must begin with AC'))),
  TWILIO_AUTH_TOKEN: v.optional(v.string()),
  TWILIO_FROM: v.optional(
    v.pipe(v.string(), v.regex(/^(?:\+[1-9]\d{6,14}|MG\w{8,64}|[\w ]{1,11})$/, 'must be a number or MG…')),
  ),
  TWILIO_BASE_URL: v.optional(httpAddress, 'https://api.twilio.com'),
  MAIL_SENDER: v.optional(oneOf('outbox', 'smtp', 'none')),
  SMTP_URL: v.optional(v.pipe(v.string(), v.regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://'))),
  MAIL_FROM: v.optional(
    v.pipe(
      v.string(),
      v.regex(mailbox, 'must be an e-mail address, such as Board portal <no-reply@id.example>'),
      v.check((text) => findInvisible(text) === undefined, 'must not contain invisible characters'),
    ),
  ),
  MAIL_TIME_ZONE: v.optional(
    v.pipe(v.string(), v.check(isTimeZone, 'must be a time zone such as Europe/Berlin')),
    defaultTimeZone,
  ),
  CODE_LIMITS: v.optional(oneOf('on', 'off'), 'on'),
  EXPECTED_USERS_PER_HOUR: v.optional(wholeNumber(1, 10_000_000), '4000'),
  CODE_NUMBER_PREFIXES: v.optional(
    v.pipe(
      list,
      v.check((all) => all.every((prefix) => /^\+[1-9]\d{0,8}$/.test(prefix)), 'must be such as +44,+971'),
    ),
    '',
  ),
  BOARD_SYSTEM_URL: v.optional(httpAddress),
  BOARD_SYSTEM_TOKEN: v.optional(v.pipe(v.string(), v.nonEmpty())),
  BOARD_SYSTEM_KEYS: v.optional(
    v.pipe(
      list,
      v.check(
        (all) => all.every((entry) => /^[\w.-]{1,50}:[0-9a-f]{64}(?::[^:+]+(?:\+[^:+]+)*)?$/.test(entry)),
        'must be name:hash or name:hash:site+site, the hash being the SHA-256 of a key as 64 small hexadecimal digits',
      ),
    ),
    '',
  ),
  SESSION_IDLE_MINUTES: v.optional(wholeNumber(1, 60), '30'),
  SESSION_ABSOLUTE_HOURS: v.optional(wholeNumber(1, 24), '12'),
  DRAIN_SECONDS: v.optional(wholeNumber(0, 60)),
  AUDIT_ADDRESSES: v.optional(switchValue, 'true'),
  AUDIT_DAYS: v.optional(wholeNumber(1, 3650), '365'),
  LOG_LEVEL: v.optional(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(httpAddress),
  OTEL_TRACES_SAMPLER_ARG: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'must be from 0 to 1'),
      v.transform(Number),
    ),
    '1',
  ),
  METRICS_PORT: v.optional(wholeNumber(0, 65_535)),
  METRICS_HOST: v.optional(v.pipe(v.string(), v.nonEmpty()), 'localhost'),
  PASSKEY_RP_ID: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^(?:localhost|(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62})$/,
        'must be a domain such as id.example, in lower case and without a scheme',
      ),
    ),
  ),
  REGIONS: v.optional(regionList, ''),
  REGION_SIGNING_JWKS: v.optional(signingKeys),
  EXTERNAL_PRIVATE_ADDRESSES: v.optional(switchValue),
  /** A variable of Node: with 1, requests go through the proxy in HTTPS_PROXY and HTTP_PROXY. */
  NODE_USE_ENV_PROXY: v.optional(oneOf('0', '1'), '0'),
  LOGO_ORIGINS: v.optional(v.pipe(list, v.array(origin)), ''),
  GLOBAL_SUPPORT_URL: v.optional(httpAddress),
  PRIVACY_POLICY_BASE_URL: v.optional(httpAddress),
  DIRECTOR_CLIENT_IDS: v.optional(list),
  HOME_URI: v.optional(httpAddress),
});

export type Environment = v.InferOutput<typeof environment>;
