import { once } from 'node:events';
import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { ConfigError } from '../config/config.ts';
import type { Config } from '../config/config.ts';
import type { MessageSettings } from '../config/config-messages.ts';
import { hostOf } from '../company/openid/outgoing.ts';
import { MissingKeyError } from '../keys/keys-in-use.ts';
import { addSeconds } from '../lib/clock.ts';
import { describeServers } from '../store/server-hosts.ts';
import { testConnection } from './connection-test.ts';
import type { Finding } from './connection-test.ts';
import { connections } from './connections.ts';
import type { AdminContext } from './admin-context.ts';
import { listKeys } from './keys.ts';

const timeoutMs = 5_000;
const largestClockDifferenceSeconds = 5;
const certificateWarningDays = 14;

/**
 * Checks everything that the service depends on, without starting it and without sending a message: settings, keys,
 * database, clock, TLS, mail, SMS, proxies and connections. As in every command, opening the database applies the
 * migrations.
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
    ...(settings.every(({ ok }) => ok) ? await checkConnections(context) : []),
  ];
}

/** Parses all settings, including those that other commands do not need, and loads the keys. */
async function checkSettings(context: AdminContext): Promise<Finding[]> {
  try {
    const keys = await listKeys(context);
    const inUse = keys.filter(({ use }) => use === 'in use');
    return [
      { check: 'settings', ok: true, detail: context.config.production ? 'production' : 'not production' },
      { check: 'keys', ok: true, detail: inUse.map(({ setting, key }) => `${setting} ${key}`).join(', ') },
    ];
  } catch (error) {
    if (error instanceof ConfigError)
      return error.problems.map((detail) => ({ check: 'settings', ok: false, detail }));
    if (error instanceof MissingKeyError) return [{ check: 'keys', ok: false, detail: error.message }];
    throw error;
  }
}

async function checkDatabase({ database, config, clock }: AdminContext): Promise<Finding[]> {
  if (config.database.kind === 'embedded') {
    const detail = `embedded in ${config.database.directory}`;
    return [{ check: 'database', ok: !config.production, detail }];
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
  const isLocal = hosts.split(', ').every((host) => host === '' || host.startsWith('/') || isLoopback(host));
  const difference = Math.abs(row.now.getTime() - before.getTime()) / 1000;
  const isEncrypted = row.ssl === true;
  return [
    {
      check: 'database',
      ok: row.reads === 'off',
      detail: `PostgreSQL ${row.version} at ${hosts}/${name}${row.reads === 'off' ? '' : ', which is read-only: it is a standby'}`,
    },
    {
      check: 'TLS to the database',
      ok: isEncrypted || isLocal || !config.production,
      detail: isEncrypted ? 'encrypted' : 'not encrypted: set sslmode in DATABASE_URL',
    },
    {
      check: 'clock',
      ok: difference <= largestClockDifferenceSeconds,
      detail: `${difference.toFixed(1)} s from the database's`,
    },
  ];
}

function checkProxies({ config: { trustedProxies } }: AdminContext): Finding {
  const detail =
    trustedProxies.length === 0
      ? 'none: X-Forwarded-For is ignored, and the address of the connection is the address of the visitor'
      : `X-Forwarded-For is trusted from ${trustedProxies.join(' ')}`;
  return { check: 'proxies', ok: true, detail };
}

/** Connects to the public address from this machine. */
async function checkPublicUrl({ config, clock }: AdminContext): Promise<Omit<Finding, 'check'>> {
  const url = new URL(config.publicUrl);
  if (url.protocol !== 'https:') return { ok: !config.production, detail: `${url.origin} has no TLS` };
  const validTo = await connectTo(url);
  const limit = addSeconds(clock.now(), certificateWarningDays * 24 * 3600);
  return {
    ok: validTo !== undefined && validTo > limit,
    detail: `${url.host}: certificate valid until ${validTo?.toISOString() ?? 'an unknown time'}`,
  };
}

async function checkMail({
  config: { messages, production },
}: AdminContext): Promise<Omit<Finding, 'check'>> {
  const { mail } = messages;
  if (mail.kind !== 'smtp') return { ok: !production || mail.kind === 'none', detail: notSent(mail.kind) };
  const transport = createTransport({
    url: mail.url,
    name: mail.clientName,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    await transport.verify();
    return { ok: true, detail: `${new URL(mail.url).host} accepts mail from ${mail.from}` };
  } finally {
    transport.close();
  }
}

/** Connects to the gateway. Its credentials cannot be checked without sending a message. */
async function checkSms(
  sms: MessageSettings['sms'],
  { production }: Pick<Config, 'production'>,
): Promise<Omit<Finding, 'check'>> {
  if (!('url' in sms) && !('baseUrl' in sms))
    return { ok: !production || sms.kind === 'none', detail: notSent(sms.kind) };
  const url = new URL('url' in sms ? sms.url : sms.baseUrl);
  await connectTo(url);
  return { ok: true, detail: `${sms.kind}: ${url.host} accepts connections` };
}

async function checkFallback({ config }: AdminContext): Promise<Finding[]> {
  const { smsFallback } = config.messages;
  return smsFallback ? [await attempt('SMS, fallback gateway', () => checkSms(smsFallback, config))] : [];
}

function notSent(kind: 'outbox' | 'none'): string {
  return kind === 'none' ? 'not sent' : 'not sent, but stored in the development outbox';
}

async function checkConnections(context: AdminContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const { name } of connections.list(context, { disabled: false })) {
    const failed = (await testConnection(context, String(name))).filter(({ ok }) => !ok);
    findings.push({
      check: `connection ${String(name)}`,
      ok: failed.length === 0,
      detail: failed.map(({ check, detail }) => `${check}: ${detail}`).join('; ') || 'ready for sign-ins',
    });
  }
  return findings;
}

async function attempt(check: string, run: () => Promise<Omit<Finding, 'check'>>): Promise<Finding> {
  try {
    return { check, ...(await run()) };
  } catch (error) {
    // Shows only the code, because the error message may contain a URL with a password.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
    return { check, ok: false, detail: `cannot be reached (${code})` };
  }
}

/**
 * Opens and closes a connection. Returns when the certificate expires.
 * @throws the error of the socket
 */
async function connectTo(url: URL): Promise<Date | undefined> {
  const isTls = url.protocol === 'https:';
  const hostname = hostOf(url);
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

/** @param host with or without a port */
function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(host);
}
