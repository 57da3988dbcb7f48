import { createServer } from 'node:http';
import { listen } from '@anteroom/testkit/listen';
import type { Account, AccountKind } from '../src/scenario.ts';
import type { ScenarioFile } from '../src/scenario-file.ts';

/** A running service with the scenario that brings it into states. */
export interface StartedService {
  url: string;
  scenario: ScenarioFile;
  close: () => Promise<void>;
}

/** The test controls of a service. */
interface Controls {
  createAccount: (kind: AccountKind) => Promise<Account>;
  /** Returns a text that contains the latest code sent to the number. */
  readCode: (phoneNumber: string) => Promise<string>;
  advanceSeconds: (seconds: number) => void;
}

/**
 * Serves the controls over HTTP, as the test environment of another service would. `actions` is their part of the
 * scenario file.
 */
export async function serveControls({ createAccount, readCode, advanceSeconds }: Controls): Promise<{
  actions: Pick<ScenarioFile, 'accounts' | 'code' | 'clock'>;
  close: () => Promise<void>;
}> {
  async function answer(path: string): Promise<string> {
    const [, what, value = ''] = path.split('/').map(decodeURIComponent);
    if (what === 'accounts') return JSON.stringify(await createAccount(value as AccountKind));
    if (what === 'codes') return readCode(value);
    advanceSeconds(Number(value));
    return '';
  }
  const server = await listen(
    createServer((request, response) => {
      answer(request.url ?? '').then(
        (text) => response.end(text),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    }),
  );
  const ask = (path: string) => ({ request: { address: `${server.url}/${path}` } });
  return {
    actions: {
      accounts: {
        password: ask('accounts/{kind}'),
        code: ask('accounts/{kind}'),
        'password-change': ask('accounts/{kind}'),
      },
      code: ask('codes/{phoneNumber}'),
      clock: ask('clock/{seconds}'),
    },
    close: server.close,
  };
}
