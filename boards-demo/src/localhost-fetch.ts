import { request } from 'node:http';
import type { CustomFetch } from 'openid-client';

/**
 * `fetch` that resolves names below `localhost` to this machine (RFC 6761, 6.3): browsers do so, most resolvers do not.
 * Only demonstrations on one machine use such names.
 */
export const fetchAlsoBelowLocalhost: CustomFetch = (address, options) => {
  const url = new URL(address);
  return url.protocol === 'http:' && url.hostname.endsWith('.localhost')
    ? fetchFromThisMachine(url, options)
    : fetch(address, { ...options, body: bodyOf(options) });
};

function fetchFromThisMachine(url: URL, options: Parameters<CustomFetch>[1]): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const outgoing = request(
    {
      host: '127.0.0.1',
      port: url.port,
      path: `${url.pathname}${url.search}`,
      method: options.method,
      headers: { ...options.headers, host: url.host },
      ...(options.signal !== undefined && { signal: options.signal }),
    },
    (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const headers = new Headers();
        for (const [name, value] of Object.entries(answer.headers))
          if (value !== undefined) headers.set(name, String(value));
        const body = parts.length === 0 ? null : Buffer.concat(parts);
        resolve(new Response(body, { status: answer.statusCode ?? 500, headers }));
      });
    },
  );
  outgoing.on('error', reject);
  outgoing.end(bodyOf(options));
  return promise;
}

/** The body as text. The library sends only forms. */
function bodyOf({ body }: Parameters<CustomFetch>[1]): string | undefined {
  return typeof body === 'string' || body instanceof URLSearchParams ? body.toString() : undefined;
}
