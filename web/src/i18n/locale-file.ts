import { localeFileVersion } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { withRetries } from '../retry.ts';
import type { MessageTree } from './keys.ts';

/** The address of a language's texts (wire contract, "Where things live"). */
export const localeFileAddress = (locale: Locale): string =>
  `${import.meta.env.BASE_URL}assets/i18n/${locale}-${localeFileVersion}.json`;

/**
 * A language's texts. Tries again when there is no answer or a 5xx; throws when the file is not to be had.
 * @param begun a request for the same file that is under way already
 */
export async function fetchMessages(locale: Locale, begun?: Promise<Response>): Promise<MessageTree> {
  const address = localeFileAddress(locale);
  let first = begun;
  const answer = await withRetries(
    async () => {
      const response = await (first ?? fetch(address)).catch(() => undefined);
      first = undefined;
      return response;
    },
    (response) => response === undefined || response.status >= 500,
  );
  if (!answer) throw new Error(`${address} was not answered`);
  return parseMessages(answer, address);
}

async function parseMessages(answer: Response, address: string): Promise<MessageTree> {
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  const content: unknown = await answer.json();
  if (!isMessageTree(content)) throw new Error(`${address} is no locale file`);
  return content;
}

function isMessageTree(value: unknown): value is MessageTree {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((member) => typeof member === 'string' || isMessageTree(member))
  );
}
