import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { problemsOfBoardSystems, toBoardSystemSettings } from './config-board-systems.ts';
import { problemsOfMessages, toCodeLimits, toMessageSettings } from './config-messages.ts';
import { problemsOfPasskeys, toPasskeySettings } from './config-passkeys.ts';
import { connectionTimeoutSeconds, toStopSettings } from './config-process.ts';
import { problemsOfRegions, toRegionSettings } from './config-regions.ts';
import { environment } from './environment.ts';
import { refuse, refusePlainHttp } from './config-rules.ts';
import type { Environment } from './environment.ts';
import { readVariables } from './read-variables.ts';

/** Reports all problems of the environment at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings are not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads the settings out of the environment. Relative paths start at `baseDirectory`.
 * @param isComplete false for a command that only reads the database: it needs no keys, senders or proxies
 * @throws ConfigError with all problems, including defaults that production must not use.
 */
export function parseConfig(
  variables: Readonly<Record<string, string | undefined>>,
  baseDirectory = process.cwd(),
  { isComplete } = { isComplete: true },
): Config {
  const { settings, problems } = readVariables(variables);
  const { issues = [] } = v.safeParse(environment, settings, { abortPipeEarly: true });
  const nameOf = (issue: v.BaseIssue<unknown>): string => String(issue.path?.[0]?.key);
  const invalidNames = new Set(issues.map(nameOf));
  problems.push(...issues.map((issue) => `${nameOf(issue)}: ${issue.message}`));
  // Invalid values are left out, so that the rules between several settings can be checked too.
  const env = v.parse(
    environment,
    Object.fromEntries(Object.entries(settings).filter(([name]) => !invalidNames.has(name))),
  );
  const config = toConfig(env, baseDirectory);
  const problemsBetweenSettings = [
    ...problemsOfPort(env),
    ...problemsOfDatabase(env),
    ...problemsOfBoardSystems(env),
    ...problemsOfFiles(config),
    ...problemsOfPasskeys(env, config.publicUrl),
    ...(isComplete
      ? [
          ...problemsOfForwardProxy(env, config),
          ...problemsOfMessages(env),
          ...problemsOfRegions(env, config.publicUrl),
        ]
      : []),
    ...(isComplete && config.production ? problemsInProduction(env, config) : []),
  ];
  problems.push(
    ...problemsBetweenSettings.filter((problem) => !invalidNames.has(problem.split(':', 1)[0] ?? '')),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/**
 * How often an account and an address can fail: at most 10 passwords in 15 minutes and 10 codes in an hour (attacks and
 * faults, S30, S35). An account is locked after 100 consecutive failures (NIST SP 800-63B-4, 3.2.2): 100 guesses at a
 * million codes succeed with a probability of 1 in 10,000.
 */
const passwordLimits = {
  accountFreeFailures: 5,
  accountFirstWaitSeconds: 60,
  accountLongestWaitSeconds: 900,
  accountConsecutiveFailures: 100,
  addressWindowSeconds: 3600,
};

export type Config = ReturnType<typeof toConfig>;

function toConfig(env: Environment, baseDirectory: string) {
  const production = env.NODE_ENV === 'production';
  const demoData = env.DEMO_DATA ?? !production;
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;
  const regions = toRegionSettings(env, publicUrl);
  const demoUrl = env.DEMO_PUBLIC_URL ?? `http://localhost:${env.DEMO_PORT}`;
  const demoPage = (path: string): string | undefined => (demoData ? `${demoUrl}/${path}` : undefined);
  return {
    production,
    port: env.PORT,
    host: env.HOST,
    /** The issuer, and the only host whose requests are answered. */
    publicUrl,
    /** The demo board portal, without a trailing slash. */
    demoUrl,
    database: toDatabase(env, baseDirectory),
    /** Undefined: created once and stored in the database (never in production). */
    secrets: env.SECRETS,
    signing: env.SIGNING_JWKS,
    demoData,
    outbox: env.OUTBOX ?? !production,
    /** The directory of the built front end, required for readiness; undefined if another server serves it. */
    webDist: toWebDist(env, baseDirectory),
    /** The management API and the console; undefined if they are off. */
    management: env.MANAGEMENT === 'on' ? { consoleDist: builtConsole } : undefined,
    /** How long the delivery of a sign-in page can wait for the API answers embedded in it; 0 embeds none. */
    pageAnswersMs: 100,
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    passwords: {
      memoryKib: env.ARGON2_MEMORY_KIB,
      timeCost: env.ARGON2_TIME_COST,
      concurrency: env.HASH_CONCURRENCY ?? availableParallelism(),
      queueSeconds: env.HASH_QUEUE_SECONDS,
    },
    limits: { ...passwordLimits, addressFailures: env.LIMIT_ADDRESS_FAILURES },
    /**
     * The limit per address for requests that store something without a session. Like the other limits per address, it
     * depends on how many users share one.
     */
    anonymousRequestsPerTenMinutes: 30 * env.LIMIT_ADDRESS_FAILURES,
    /** An additional list of breached passwords, one per line. */
    breachedPasswordsFile:
      env.BREACHED_PASSWORDS_FILE === undefined
        ? undefined
        : resolve(baseDirectory, env.BREACHED_PASSWORDS_FILE),
    /** The limits for wrong one-time codes, counted like wrong passwords. */
    codeLimits: {
      ...passwordLimits,
      accountLongestWaitSeconds: 3600,
      addressFailures: env.LIMIT_ADDRESS_FAILURES,
    },
    codes: toCodeLimits(env),
    messages: toMessageSettings(env, publicUrl),
    boardSystems: toBoardSystemSettings(env),
    sessions: {
      idleSeconds: env.SESSION_IDLE_MINUTES * 60,
      absoluteSeconds: env.SESSION_ABSOLUTE_HOURS * 3600,
    },
    /** Whether the audit log stores the addresses of visitors, and its retention period. */
    audit: { addresses: env.AUDIT_ADDRESSES, days: env.AUDIT_DAYS },
    /** Sign-in at identity providers of organisations. */
    external: {
      /** Allows providers at private addresses. */
      privateAddresses: env.EXTERNAL_PRIVATE_ADDRESSES ?? !production,
      /** Allows providers without TLS, never in production. */
      insecure: !production,
      /** The limit per address for redirects to providers. */
      requestsPerTenMinutes: 3 * env.LIMIT_ADDRESS_FAILURES,
    },
    stop: toStopSettings(env),
    logLevel: env.LOG_LEVEL,
    /** The collector of traces and the sampling ratio; undefined if tracing is off. */
    tracing:
      env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : {
            endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
            ratio: env.OTEL_TRACES_SAMPLER_ARG,
          },
    metrics: env.METRICS_PORT === undefined ? undefined : { port: env.METRICS_PORT, host: env.METRICS_HOST },
    /** Undefined if passkeys are off. */
    passkeys: toPasskeySettings(env, publicUrl),
    /** Undefined if there is only one region. */
    regions,
    contentPolicy: {
      regionOrigins: regions?.others.map(({ url }) => url) ?? [],
      logoOrigins: env.LOGO_ORIGINS,
    },
    /** The front end's `config.json`. */
    frontEnd: {
      // by default the pages of the demo portal, so that a trial shows all links of the sign-in card
      globalSupportUrl: env.GLOBAL_SUPPORT_URL ?? demoPage('support'),
      privacyPolicyBaseUrl: env.PRIVACY_POLICY_BASE_URL ?? demoPage('privacy'),
      directorClientIds: env.DIRECTOR_CLIENT_IDS,
      /** The start address for a visitor without a sign-in. */
      homeUri: env.HOME_URI ?? demoPage(''),
      sampleDestination: !production,
    },
  };
}

function toDatabase(env: Environment, baseDirectory: string) {
  return env.DATABASE_URL === undefined
    ? ({ kind: 'embedded', directory: resolve(baseDirectory, env.DATA_DIR ?? '.data') } as const)
    : ({
        kind: 'server',
        /** One for each server that `DATABASE_URL` names. */
        urls: env.DATABASE_URL,
        poolSize: env.DATABASE_POOL_SIZE,
        statementTimeoutSeconds: env.DATABASE_STATEMENT_TIMEOUT_SECONDS,
        connectionTimeoutSeconds: connectionTimeoutSeconds(env),
      } as const);
}

function toWebDist({ WEB_DIST: directory }: Environment, baseDirectory: string): string | undefined {
  if (directory === undefined) return builtFrontEnd;
  return directory === 'none' ? undefined : resolve(baseDirectory, directory);
}

/** Where `npm run build` puts the console. */
const builtConsole = fileURLToPath(new URL('../../../console/dist', import.meta.url));

/** Where `npm run build` puts the front end. */
const builtFrontEnd = fileURLToPath(new URL('../../../web/dist', import.meta.url));

/** The service must know its issuer and its own host before it opens a port, so a free port needs PUBLIC_URL. */
function problemsOfPort(env: Environment): string[] {
  return refuse(env.PORT === 0 && env.PUBLIC_URL === undefined, 'PORT: 0 (any free port) needs PUBLIC_URL');
}

/** Without this rule, production could silently start with a new, empty database. */
function problemsOfDatabase(env: Environment): string[] {
  return refuse(
    env.NODE_ENV === 'production' && env.DATABASE_URL === undefined && env.DATA_DIR === undefined,
    'DATABASE_URL: must be set in production (or DATA_DIR, for the embedded database on purpose)',
  );
}

/** Checked at startup, so that no password change fails because of it. */
function problemsOfFiles({ breachedPasswordsFile }: Config): string[] {
  return refuse(
    breachedPasswordsFile !== undefined && !existsSync(breachedPasswordsFile),
    'BREACHED_PASSWORDS_FILE: there is no such file',
  );
}

/** Pairs of memory in KiB and passes that are equally strong (OWASP password storage cheat sheet, argon2id). */
const strongEnough = [
  [47_104, 1],
  [19_456, 2],
  [12_288, 3],
  [9_216, 4],
  [7_168, 5],
] as const;

/** A forward proxy resolves the names, so the service cannot check whether an address is private. */
function problemsOfForwardProxy(env: Environment, config: Config): string[] {
  return refuse(
    env.NODE_USE_ENV_PROXY === '1' && !config.external.privateAddresses,
    'NODE_USE_ENV_PROXY: the proxy resolves the names of identity providers, so this service cannot refuse private addresses: let the proxy refuse them, and set EXTERNAL_PRIVATE_ADDRESSES=true',
  );
}

/** Production refuses settings that are only for evaluation. */
function problemsInProduction(env: Environment, config: Config): string[] {
  return [
    ...refuse(
      env.SECRETS === undefined,
      'SECRETS: must be set in production (the default ones are made up at the first start)',
    ),
    ...refuse(
      env.SIGNING_JWKS === undefined,
      'SIGNING_JWKS: must be set in production (the default key is made up at the first start)',
    ),
    ...refuse(env.PUBLIC_URL === undefined, 'PUBLIC_URL: must be set in production'),
    ...refusePlainHttp('PUBLIC_URL', env.PUBLIC_URL),
    ...refuse(
      env.TRUSTED_PROXIES === undefined,
      'TRUSTED_PROXIES: must be set in production: the addresses or networks of the proxies in front, or none when browsers connect directly',
    ),
    ...refuse(config.demoData, 'DEMO_DATA: must not be true in production'),
    ...refuse(config.outbox, 'OUTBOX: must not be true in production (messages would go nowhere)'),
    ...refuse(
      !strongEnough.some(
        ([memoryKib, timeCost]) =>
          config.passwords.memoryKib >= memoryKib && config.passwords.timeCost >= timeCost,
      ),
      'ARGON2_*: weaker than 19456 KiB with 2 passes, or what equals it, is refused in production',
    ),
  ];
}
