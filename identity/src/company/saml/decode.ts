import { inflateRaw } from 'node:zlib';
import { promisify } from 'node:util';
import { SamlRefusal } from './refusal.ts';

const inflate = promisify(inflateRaw);

/** Longer messages are not parsed. For comparison, a response with some hundred attributes has 40 kB. */
export const decodedLimitBytes = 256 * 1024;
/** The limit for inflated messages: without it, 272 kB could become 200 MB (attacks and faults, S47). */
export const inflatedLimitBytes = 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a message of the POST binding: base64, possibly with line breaks. */
export function decodePosted(value: string): string {
  return decodeText(decodeBase64(value));
}

/** Decodes a message of the redirect binding: base64 of DEFLATE (saml-bindings, 3.4.4.1). */
export async function decodeRedirected(value: string): Promise<string> {
  const bytes = decodeBase64(value);
  let inflated: Buffer;
  try {
    inflated = await inflate(bytes, { maxOutputLength: inflatedLimitBytes });
  } catch (error) {
    const tooFar = error instanceof RangeError;
    throw new SamlRefusal(tooFar ? 'message_inflates_too_far' : 'message_malformed', 'DEFLATE', {
      cause: error,
    });
  }
  return decodeText(inflated);
}

/** Decodes strictly. Node's decoder skips invalid characters, so different texts would decode to the same message. */
export function decodeBase64(value: string): Buffer {
  if (value === '') throw new SamlRefusal('message_missing');
  if (value.length > decodedLimitBytes * 2) throw new SamlRefusal('message_too_large', 'encoded');
  const text = value.replace(/[\r\n]+/g, '');
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new SamlRefusal('message_not_base64');
  return bytes;
}

/** Decodes UTF-8. Rejects a byte order mark and NUL, which another parser could read differently. */
export function decodeText(bytes: Buffer): string {
  if (bytes.length > decodedLimitBytes) throw new SamlRefusal('message_too_large');
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (error) {
    throw new SamlRefusal('message_not_utf8', undefined, { cause: error });
  }
  if (text.startsWith('\uFEFF')) throw new SamlRefusal('message_not_utf8', 'byte order mark');
  if (text.includes('\0')) throw new SamlRefusal('message_not_utf8', 'NUL');
  return text;
}
