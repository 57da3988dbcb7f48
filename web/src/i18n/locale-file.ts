import { localeFileVersion } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { withRetries } from '../retry.ts';
import { readTimeoutMs, timeoutSignal } from '../timeout.ts';
import type { MessageTree } from './keys.ts';

/** The address of a language's texts (wire contract, "Where things live"). */
export const localeFileAddress = (locale: Locale, folder = ''): string =>
  `${import.meta.env.BASE_URL}assets/i18n/${folder}${locale}-${localeFileVersion}.json`;

const lateGroups = new Set<string>();

/** Groups of texts that few sign-ins need are files of their own in the build (`web/vite/split-texts.ts`), fetched with the next language. */
export function needTexts(group: 'recovery' | 'authenticator' | 'account' | 'passkey'): void {
  lateGroups.add(group);
}

/** A request for a language's texts that has already begun, and who is told that there is no answer yet. */
export interface FetchOptions {
  begun?: Promise<Response> | undefined;
  onSlow?: () => void;
}

/** A language's texts. Tries again when there is no whole answer or a 5xx; throws when the file cannot be loaded. */
export async function fetchMessages(
  locale: Locale,
  { begun, onSlow }: FetchOptions = {},
): Promise<MessageTree> {
  const late = [...lateGroups].map((group) => fetchTree(localeFileAddress(locale, `${group}/`)));
  const trees = await Promise.all([fetchTree(localeFileAddress(locale), begun, onSlow), ...late]);
  return Object.assign({}, ...trees) as MessageTree;
}

async function fetchTree(
  address: string,
  begun?: Promise<Response>,
  onSlow?: () => void,
): Promise<MessageTree> {
  let first = begun;
  const answer = await withRetries(
    () => {
      const request = first ?? fetch(address, { signal: timeoutSignal(readTimeoutMs) });
      first = undefined;
      return request.then(readFile).catch(() => undefined);
    },
    (file) => file === undefined || file.status >= 500,
    (file) => file === undefined && onSlow?.(),
  );
  if (!isMessageTree(answer?.content)) throw new Error(`${address} could not be loaded`);
  return answer.content;
}

/** @throws when the answer is cut off halfway or takes too long: then there is none. */
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
