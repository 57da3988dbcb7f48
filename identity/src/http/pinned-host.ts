import type { IncomingMessage } from 'node:http';
import { ContractError } from './errors.ts';

/**
 * Accepts requests for the configured host only. The provider builds URLs from `Host` and, behind a proxy, from
 * `X-Forwarded-*`; forged values would appear in links, forms and redirects (attacks and faults, S05).
 */
export function createHostPin(publicUrl: string): (request: IncomingMessage) => void {
  const { host, protocol } = new URL(publicUrl);
  /** RFC 9110, 4.2.3: an address without a port and with the default port are equal. */
  const normalise = (given: string | undefined): string | undefined =>
    given?.toLowerCase().replace(protocol === 'https:' ? /:443$/ : /:80$/, '');
  return (request) => {
    const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
    const hosts = names.filter((name) => name.toLowerCase() === 'host');
    const isOriginForm = request.url?.startsWith('/') === true;
    if (hosts.length !== 1 || normalise(request.headers.host) !== host || !isOriginForm) {
      throw new ContractError('misdirected_request');
    }
    request.headers.host = host;
    delete request.headers.forwarded;
    request.headers['x-forwarded-host'] = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  };
}

const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override'];

/** @throws `method_not_allowed` for TRACE and for method override headers */
export function requirePlainMethod(request: IncomingMessage): void {
  if (request.method === 'TRACE' || overrides.some((name) => request.headers[name] !== undefined)) {
    throw new ContractError('method_not_allowed');
  }
}
