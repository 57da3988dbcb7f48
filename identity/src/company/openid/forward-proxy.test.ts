import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

/** Requests a URL in a process with a forward proxy, as the service requests identity providers. */
const script = `
const { createOutgoingFetch } = await import(process.argv[1]);
const fetch = createOutgoingFetch({ privateAddresses: process.argv[3] === 'true', insecure: true });
const answer = await fetch(process.argv[2], { method: 'GET', headers: {} }).catch((error) => error);
console.log(answer instanceof Error ? answer.message : await answer.text());
`;

test.each([
  ['true', 'http://idp.invalid/keys', 'proxied http://idp.invalid/keys'],
  ['false', 'http://10.0.0.7/keys', 'the provider’s address is private'],
])(
  'a forward proxy resolves names, so the service checks only literal addresses (private addresses: %s, %s)',
  async (privateAddresses, url, outcome) => {
    const proxy = createServer((request, response) => response.end(`proxied ${request.url}`));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        script,
        new URL('outgoing.ts', import.meta.url).href,
        url,
        privateAddresses,
      ],
      {
        env: {
          NODE_USE_ENV_PROXY: '1',
          HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
        },
      },
    );
    expect(stdout.trim()).toBe(outcome);
  },
);
