import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { problemsOfBoardSystems, toBoardSystemSettings } from './config-board-systems.ts';
import { problemsOfMessages, toCodeLimits, toMessageSettings } from './config-messages.ts';
import { problemsOfPasskeys, toPasskeySettings } from './config-passkeys.ts';
import { toStopSettings, problemsOfWorkers, toWorkerCount } from './config-process.ts';
import { problemsOfRegions, toRegionSettings } from './config-regions.ts';
import { environment } from './environment.ts';
import { refuse, refusePlainHttp } from './config-rules.ts';
import type { Environment } from './environment.ts';
import { largestCountInWindow } from './limits/waits.ts';
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
    ...problemsOfWorkers(env),
    ...problemsOfLimits(config),
    ...problemsOfBoardSystems(env),
    ...problemsOfFiles(config),
    ...problemsOfPasskeys(env, config.publicUrl),
    ...(isComplete ? [...problemsOfMessages(env), ...problemsOfRegions(env, config.publicUrl)] : []),
    ...(isComplete && config.production ? problemsInProduction(env, config) : []),
  ];
  problems.push(
    ...problemsBetweenSettings.filter((problem) => !invalidNames.has(problem.split(':', 1)[0] ?? '')),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

export type Config = ReturnType<typeof toConfig>;

function toConfig(env: Environment, baseDirectory: string) {
  const production = env.NODE_ENV === 'production';
  const demoData = env.DEMO_DATA ?? !production;
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;
  const regions = toRegionSettings(env, publicUrl);
  const demoPage = (path: string): string | undefined =>
    demoData ? `http://localhost:${env.DEMO_PORT}/${path}` : undefined;
  return {
    production,
    port: env.PORT,
    host: env.HOST,
    /** The issuer, and the only host whose requests are answered. */
    publicUrl,
    demoPort: env.DEMO_PORT,
    /** Processes that serve visitors and share the limits of this node; with 1, the started process serves them itself. */
    workers: toWorkerCount(env),
    database: toDatabase(env, baseDirectory),
    /** Undefined: created once and stored in the database (never in production). */
    secrets: env.SECRETS,
    signing: env.SIGNING_JWKS,
    demoData,
    outbox: env.OUTBOX ?? !production,
    /** The directory of the built front end, required for readiness; undefined if another server serves it. */
    webDist: toWebDist(env, baseDirectory),
    /** How long the delivery of a sign-in page can wait for the API answers embedded in it; 0 embeds none. */
    pageAnswersMs: env.PAGE_ANSWERS_MS,
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    passwords: {
      memoryKib: env.ARGON2_MEMORY_KIB,
      timeCost: env.ARGON2_TIME_COST,
      parallelism: env.ARGON2_PARALLELISM,
      concurrency: env.HASH_CONCURRENCY ?? availableParallelism(),
      queueSeconds: env.HASH_QUEUE_SECONDS,
    },
    limits: {
      accountFreeFailures: env.LIMIT_ACCOUNT_FREE_FAILURES,
      accountFirstWaitSeconds: env.LIMIT_ACCOUNT_FIRST_WAIT_SECONDS,
      accountLongestWaitSeconds: env.LIMIT_ACCOUNT_LONGEST_WAIT_SECONDS,
      accountConsecutiveFailures: env.LIMIT_ACCOUNT_CONSECUTIVE_FAILURES,
      addressFailures: env.LIMIT_ADDRESS_FAILURES,
      addressWindowSeconds: env.LIMIT_ADDRESS_WINDOW_SECONDS,
    },
    /** The limit per address for requests that store something without a session. */
    anonymousRequestsPerTenMinutes: env.ANONYMOUS_REQUESTS_PER_TEN_MINUTES,
    /** An additional list of breached passwords, one per line. */
    breachedPasswordsFile:
      env.BREACHED_PASSWORDS_FILE === undefined
        ? undefined
        : resolve(baseDirectory, env.BREACHED_PASSWORDS_FILE),
    /** The limits for wrong one-time codes, counted like wrong passwords. */
    codeLimits: {
      accountFreeFailures: env.LIMIT_CODE_FREE_FAILURES,
      accountFirstWaitSeconds: env.LIMIT_CODE_FIRST_WAIT_SECONDS,
      accountLongestWaitSeconds: env.LIMIT_CODE_LONGEST_WAIT_SECONDS,
      accountConsecutiveFailures: codesInARow,
      addressFailures: env.LIMIT_ADDRESS_FAILURES,
      addressWindowSeconds: env.LIMIT_ADDRESS_WINDOW_SECONDS,
    },
    codes: toCodeLimits(env),
    messages: toMessageSettings(env),
    boardSystems: toBoardSystemSettings(env),
    /** How long an invitation is valid. */
    invitationDays: env.INVITATION_DAYS,
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
      requestsPerTenMinutes: env.EXTERNAL_TRIPS_PER_TEN_MINUTES,
    },
    stop: toStopSettings(env),
    logLevel: env.LOG_LEVEL,
    /** The collector of traces and the sampling ratio; undefined if tracing is off. */
    tracing:
      env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : {
            endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
            serviceName: env.OTEL_SERVICE_NAME,
            ratio: env.OTEL_TRACES_SAMPLER_ARG,
          },
    metrics: env.METRICS_PORT === undefined ? undefined : { port: env.METRICS_PORT, host: env.METRICS_HOST },
    /** Undefined if passkeys are off. */
    passkeys: toPasskeySettings(env, publicUrl),
    /** Undefined if there is only one region. */
    regions,
    contentPolicy: {
      regionOrigins: regions?.others.map(({ url }) => url) ?? [],
      signOutFrameOrigins: env.SIGN_OUT_FRAME_ORIGINS,
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
      sampleDestination: env.SAMPLE_DESTINATION ?? !production,
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
        connectionTimeoutSeconds: env.DATABASE_CONNECTION_TIMEOUT_SECONDS,
      } as const);
}

function toWebDist({ WEB_DIST: directory }: Environment, baseDirectory: string): string | undefined {
  if (directory === undefined) return builtFrontEnd;
  return directory === 'none' ? undefined : resolve(baseDirectory, directory);
}

/** Where `npm run build` puts the front end. */
const builtFrontEnd = fileURLToPath(new URL('../../web/dist', import.meta.url));

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

/**
 * The upper bounds in production, per account: 10 passwords in 15 minutes, 10 codes in an hour (attacks and faults,
 * S30, S35).
 */
const accountAttemptsAllowed = 10;
const passwordWindowSeconds = 15 * 60;
const codeWindowSeconds = 60 * 60;
/**
 * 100 guesses at a million codes succeed with a probability of 1 in 10,000. After 100 failures, an operator must act.
 */
const codesInARow = 100;

function problemsOfLimits({ limits, codeLimits }: Config): string[] {
  const passwords = largestCountInWindow(limits, passwordWindowSeconds);
  const codes = largestCountInWindow(codeLimits, codeWindowSeconds);
  return [
    ...refuse(
      passwords > accountAttemptsAllowed,
      `LIMIT_ACCOUNT_*: these settings allow ${passwords} passwords of an account to be tried in 15 minutes; the maximum is ${accountAttemptsAllowed}`,
    ),
    ...refuse(
      codes > accountAttemptsAllowed,
      `LIMIT_CODE_*: these settings allow ${codes} codes of an account to be tried in an hour; the maximum is ${accountAttemptsAllowed}`,
    ),
  ];
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
    ...refuse(config.frontEnd.sampleDestination, 'SAMPLE_DESTINATION: must not be true in production'),
    ...refuse(
      !strongEnough.some(
        ([memoryKib, timeCost]) =>
          config.passwords.memoryKib >= memoryKib && config.passwords.timeCost >= timeCost,
      ),
      'ARGON2_*: weaker than 19456 KiB with 2 passes, or what equals it, is refused in production',
    ),
  ];
}
