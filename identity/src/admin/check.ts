import { once } from 'node:events';
import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { ConfigError } from '../config.ts';
import type { Config } from '../config.ts';
import type { MessageSettings } from '../config-messages.ts';
import { MissingKeyError } from '../keys/keys-in-use.ts';
import { addSeconds } from '../lib/clock.ts';
import { describeServers } from '../store/server-hosts.ts';
import { testConnection } from './connection-test.ts';
import type { Finding } from './connection-test.ts';
import { connections } from './connections.ts';
import type { AdminContext } from './context.ts';
import { listKeys } from './keys.ts';

const timeoutMs = 5_000;
const largestClockDifferenceSeconds = 5;
const certificateWarningDays = 14;

/**
 * Checks what the service needs, without starting it and without sending a message: settings, keys, database, clock, TLS, mail, SMS, proxies
 * and connections. Opening the database brings its tables to this version, as every command does.
 */
export async function checkInstallation(context: AdminContext): Promise<Finding[]> {
  const settings = await checkSettings(context);
  return [
    ...settings,
    ...(await checkDatabase(context)),
    checkProxies(context),
    await attempt('TLS of PUBLIC_URL', () => checkPublicUrl(context)),
    await attempt('mail', () => checkMail(context)),
    await attempt('SMS', () => checkSms(context.config.messages.sms, context.config)),
    ...(await checkFallback(context)),
    ...(settings.every(({ holds }) => holds) ? await checkConnections(context) : []),
  ];
}

/** The settings that commands do without, and the keys of the database. */
async function checkSettings(context: AdminContext): Promise<Finding[]> {
  try {
    const keys = await listKeys(context);
    const inUse = keys.filter(({ use }) => use === 'in use');
    return [
      { what: 'settings', holds: true, seen: context.config.production ? 'production' : 'not production' },
      { what: 'keys', holds: true, seen: inUse.map(({ setting, key }) => `${setting} ${key}`).join(', ') },
    ];
  } catch (error) {
    if (error instanceof ConfigError)
      return error.problems.map((seen) => ({ what: 'settings', holds: false, seen }));
    if (error instanceof MissingKeyError) return [{ what: 'keys', holds: false, seen: error.message }];
    throw error;
  }
}

async function checkDatabase({ database, config, clock }: AdminContext): Promise<Finding[]> {
  if (config.database.kind === 'embedded') {
    const seen = `embedded in ${config.database.directory}`;
    return [{ what: 'database', holds: !config.production, seen }];
  }
  const before = clock.now();
  const { rows } = await sql<{ now: Date; version: string; reads: string; ssl: boolean | null }>`
    select clock_timestamp() as now, current_setting('server_version') as version,
      current_setting('transaction_read_only') as reads,
      (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as ssl`.execute(database);
  const [row] = rows;
  if (row === undefined) return [];
  const { urls } = config.database;
  const { database: name, hosts } = describeServers(urls);
  const isLocal = urls
    .map((url) => new URL(url).hostname)
    .every((hostname) => hostname === '' || isLoopback(hostname));
  const difference = Math.abs(row.now.getTime() - before.getTime()) / 1000;
  const isEncrypted = row.ssl === true;
  return [
    {
      what: 'database',
      holds: row.reads === 'off',
      seen: `PostgreSQL ${row.version} at ${hosts}/${name}${row.reads === 'off' ? '' : ', which only reads: it is a standby'}`,
    },
    {
      what: 'TLS to the database',
      holds: isEncrypted || isLocal || !config.production,
      seen: isEncrypted ? 'encrypted' : 'not encrypted: set sslmode in DATABASE_URL',
    },
    {
      what: 'clock',
      holds: difference <= largestClockDifferenceSeconds,
      seen: `${difference.toFixed(1)} s from the database's`,
    },
  ];
}

function checkProxies({ config: { trustedProxies } }: AdminContext): Finding {
  const seen =
    trustedProxies.length === 0
      ? 'none: X-Forwarded-For counts for nothing, and visitors are known by the address of the connection'
      : `X-Forwarded-For counts from ${trustedProxies.join(' ')}`;
  return { what: 'proxies', holds: true, seen };
}

/** Connects to the address that visitors use, from this machine. */
async function checkPublicUrl({ config, clock }: AdminContext): Promise<Omit<Finding, 'what'>> {
  const url = new URL(config.publicUrl);
  if (url.protocol !== 'https:') return { holds: !config.production, seen: `${url.origin} has no TLS` };
  const validTo = await connectTo(url);
  const limit = addSeconds(clock.now(), certificateWarningDays * 24 * 3600);
  return {
    holds: validTo !== undefined && validTo > limit,
    seen: `${url.host}: certificate valid until ${validTo?.toISOString() ?? 'an unknown time'}`,
  };
}

async function checkMail({ config: { messages, production } }: AdminContext): Promise<Omit<Finding, 'what'>> {
  const { mail } = messages;
  if (mail.kind !== 'smtp') return { holds: !production || mail.kind === 'none', seen: notSent(mail.kind) };
  const transport = createTransport({
    url: mail.url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    await transport.verify();
    return { holds: true, seen: `${new URL(mail.url).host} accepts mail from ${mail.from}` };
  } finally {
    transport.close();
  }
}

/** The gateway accepts connections; whether it accepts the credentials, only a message can tell. */
async function checkSms(
  sms: MessageSettings['sms'],
  { production }: Pick<Config, 'production'>,
): Promise<Omit<Finding, 'what'>> {
  if (!('url' in sms) && !('baseUrl' in sms))
    return { holds: !production || sms.kind === 'none', seen: notSent(sms.kind) };
  const url = new URL('url' in sms ? sms.url : sms.baseUrl);
  await connectTo(url);
  return { holds: true, seen: `${sms.kind}: ${url.host} accepts connections` };
}

async function checkFallback({ config }: AdminContext): Promise<Finding[]> {
  const { smsFallback } = config.messages;
  return smsFallback ? [await attempt('SMS, fallback gateway', () => checkSms(smsFallback, config))] : [];
}

function notSent(kind: 'outbox' | 'none'): string {
  return kind === 'none' ? 'not sent' : 'not sent, but kept in the outbox for development';
}

async function checkConnections(context: AdminContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const { name } of connections.list(context.database, { disabled: false })) {
    const { row } = await connections.require(context.database, { name });
    const failed = (await testConnection(context, row.id)).filter(({ holds }) => !holds);
    findings.push({
      what: `connection ${row.name}`,
      holds: failed.length === 0,
      seen: failed.map(({ what, seen }) => `${what}: ${seen}`).join('; ') || 'as a sign-in needs it',
    });
  }
  return findings;
}

async function attempt(what: string, check: () => Promise<Omit<Finding, 'what'>>): Promise<Finding> {
  try {
    return { what, ...(await check()) };
  } catch (error) {
    // a message may repeat an address with its password
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
    return { what, holds: false, seen: `cannot be reached (${code})` };
  }
}

/** Opens and closes a connection; returns until when the certificate is valid. @throws the error of the socket */
async function connectTo(url: URL): Promise<Date | undefined> {
  const isTls = url.protocol === 'https:';
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (isTls ? 443 : 80));
  const socket = isTls
    ? connectTls({ host: hostname, port, servername: isIP(hostname) === 0 ? hostname : '' })
    : connectPlain({ host: hostname, port });
  socket.setTimeout(timeoutMs, () =>
    socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
  );
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect');
    return 'getPeerCertificate' in socket ? new Date(socket.getPeerCertificate().valid_to) : undefined;
  } finally {
    socket.destroy();
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]';
}
