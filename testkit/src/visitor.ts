import { Agent, request as send } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';

/** A response; redirects are not followed. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface VisitorRequest {
  method?: 'GET' | 'POST';
  /** A body that is sent as JSON. */
  body?: unknown;
  /** Fields that are sent as a form. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

/**
 * A headless client that stores cookies and sends the same requests as the front end. For benchmarks and fault tests
 * with a thousand parallel visitors; pages are tested in a real browser.
 */
export interface Visitor {
  ask: (address: string, request?: VisitorRequest) => Promise<Answer>;
  cookie: (name: string) => string | undefined;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/**
 * Creates a visitor. `always` contains the headers of every request, such as the address that a trusted proxy reports.
 */
export function createVisitor(always: Record<string, string> = {}): Visitor {
  const cookies = new Map<string, string>();

  async function ask(address: string, { method, body, form, headers }: VisitorRequest = {}): Promise<Answer> {
    const url = new URL(address);
    const content = body === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(body);
    const verb = method ?? (content === undefined ? 'GET' : 'POST');
    const token = cookies.get('XSRF-TOKEN');
    return new Promise((resolve, reject) => {
      const outgoing = send(
        url,
        {
          agent,
          method: verb,
          headers: {
            Accept: 'application/json',
            Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            ...(content === undefined
              ? {}
              : {
                  'Content-Type': form ? 'application/x-www-form-urlencoded' : 'application/json',
                  'Content-Length': String(Buffer.byteLength(content)),
                }),
            ...(verb === 'POST' && !form
              ? { Origin: url.origin, 'Sec-Fetch-Site': 'same-origin', 'X-XSRF-TOKEN': token ?? '' }
              : {}),
            ...always,
            ...headers,
          },
        },
        (incoming) => {
          keepCookies(cookies, incoming.headers['set-cookie'] ?? []);
          let text = '';
          incoming.setEncoding('utf8');
          incoming.on('data', (part: string) => (text += part));
          incoming.on('error', reject);
          incoming.on('end', () =>
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
          );
        },
      );
      outgoing.on('error', reject);
      outgoing.end(content);
    });
  }

  return { ask, cookie: (name) => cookies.get(name) };
}

function keepCookies(cookies: Map<string, string>, set: readonly string[]): void {
  for (const line of set) {
    const [pair = '', ...attributes] = line.split(';');
    const separator = pair.indexOf('=');
    const name = pair.slice(0, separator).trim();
    const value = pair.slice(separator + 1).trim();
    const isOver = attributes.some((attribute) => {
      const [key = '', content = ''] = attribute.trim().split('=');
      if (key.toLowerCase() === 'max-age') return Number(content) <= 0;
      return key.toLowerCase() === 'expires' && new Date(content).getTime() <= Date.now();
    });
    if (isOver || value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
}
