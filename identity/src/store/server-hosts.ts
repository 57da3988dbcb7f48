/** `postgres://`, user and password · hosts with ports · database and parameters. */
const severalHosts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;

/** The values of libpq's `target_session_attrs` that suit a service that writes. */
const writableTargets = new Set(['any', 'read-write', 'primary']);

/**
 * Splits a `DATABASE_URL`, which may name several servers as in libpq: `postgres://host1,host2:5433/database`.
 * A user without a host, as in `postgres://user@/database?host=/socket`, gets `localhost`; the parameter takes precedence.
 * `target_session_attrs` is removed: the service always looks for the writable server.
 * @throws Error with a reason for the operator
 */
export function parseServerUrls(databaseUrl: string): [string, ...string[]] {
  const [, start = '', hosts = '', rest = ''] = severalHosts.exec(databaseUrl) ?? [];
  const [first = '', ...others] = hosts
    .split(',')
    .map((host) => toServerUrl(`${start}${host === '' && start.endsWith('@') ? 'localhost' : host}${rest}`));
  return [first, ...others];
}

function toServerUrl(text: string): string {
  if (!URL.canParse(text))
    throw new Error(
      'is not an address: in the user name and the password @ : / ? # and % are written %40 %3A %2F %3F %23 and %25',
    );
  const url = new URL(text);
  const target = url.searchParams.get('target_session_attrs');
  if (target === null) return text;
  if (!writableTargets.has(target))
    throw new Error(
      `target_session_attrs=${target} asks for a server that only reads; the service needs read-write`,
    );
  url.searchParams.delete('target_session_attrs');
  return url.href;
}

/** The database and its servers without user name and password, for messages to operators. */
export function describeServers(urls: readonly [string, ...string[]]): { database: string; hosts: string } {
  return {
    database: new URL(urls[0]).pathname.slice(1),
    // As in libpq, the parameter `host` can name the folder of a socket, and takes precedence.
    hosts: urls
      .map((url) => new URL(url))
      .map(({ host, searchParams }) => searchParams.get('host') ?? decodeURIComponent(host))
      .join(', '),
  };
}
