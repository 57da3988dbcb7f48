/**
 * Decodes UTF-8 without its byte order mark. Any other encoding is refused with the reason: a wrong letter in a secret,
 * a password or a name would only be noticed when it is used.
 */
export function decodeUtf8(bytes: Uint8Array): { text: string } | { fault: string } {
  if (isUtf16(bytes)) return { fault: 'is UTF-16, not UTF-8' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { fault: 'is not UTF-8' };
  }
}

/** Whether text begins in UTF-16: with its byte order mark, or with a character of ASCII and a zero. */
export function isUtf16([first, second]: Uint8Array): boolean {
  return (
    (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0
  );
}
