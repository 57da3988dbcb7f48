import { localeFileVersion } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { withRetries } from '../retry.ts';
import { readTimeoutMs, timeoutSignal } from '../timeout.ts';
import type { MessageTree } from './keys.ts';

/** The address of a locale file (wire contract, "Where things live"). */
export const localeFileAddress = (locale: Locale, folder = ''): string =>
  `${import.meta.env.BASE_URL}assets/i18n/${folder}${locale}-${localeFileVersion}.json`;

export type TextGroup =
  | 'recovery'
  | 'authenticator'
  | 'account'
  | 'accounts'
  | 'passkey'
  | 'secondFactor'
  | 'selectSite'
  | 'passwordRequired'
  | 'passwordChange'
  | 'logout'
  | 'loggedOut'
  | 'sampleDestination'
  | 'version';

const lateGroups = new Set<TextGroup>();

/**
 * Makes every later load of a language include a group of texts that few sign-ins need. The build puts each group in
 * its own file (`web/vite/split-texts.ts`).
 */
export function needTexts(group: TextGroup): void {
  lateGroups.add(group);
}

/** `begun` is a request that has already been sent; `onSlow` is called when the answer is slow. */
export interface FetchOptions {
  begun?: Promise<Response> | undefined;
  onSlow?: () => void;
}

/** Loads the texts of a language. Retries after a broken answer or a 5xx; throws if the file cannot be loaded. */
export async function fetchMessages(
  locale: Locale,
  { begun, onSlow }: FetchOptions = {},
): Promise<MessageTree> {
  const late = [...lateGroups].map(async (group) => fetchGroup(locale, group));
  const trees = await Promise.all([fetchTree(localeFileAddress(locale), begun, onSlow), ...late]);
  return Object.assign({}, ...trees) as MessageTree;
}

/** Loads one group of texts, as `fetchMessages` does; the service may have put it into the page. */
export async function fetchGroup(locale: Locale, group: TextGroup): Promise<MessageTree> {
  const address = localeFileAddress(locale, `${group}/`);
  return fetchTree(address, window.anteroomEarly?.takeAnswer(address));
}

async function fetchTree(
  address: string,
  begun?: Promise<Response>,
  onSlow?: () => void,
): Promise<MessageTree> {
  let first = begun;
  const answer = await withRetries(
    (end) => {
      const signal = AbortSignal.any([timeoutSignal(readTimeoutMs), end]);
      const request = first ?? fetch(address, { signal });
      first = undefined;
      return request.then(readFile).catch(() => undefined);
    },
    (file) => file === undefined || file.status >= 500,
    (file) => file === undefined && onSlow?.(),
  );
  if (!isMessageTree(answer?.content)) throw new Error(`${address} could not be loaded`);
  return answer.content;
}

/** @throws if the connection breaks before the end of the body or the read times out */
async function readFile(response: Response): Promise<{ status: number; content: unknown }> {
  const content: unknown = await response.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
  });
  return { status: response.status, content: response.ok ? content : undefined };
}

function isMessageTree(value: unknown): value is MessageTree {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((member) => typeof member === 'string' || isMessageTree(member))
  );
}
