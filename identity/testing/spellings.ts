/** The encodings in which a secret could appear in a text: plain, URL-encoded, JSON, hexadecimal, or inside base64. */
export function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const spellings = new Set([
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ a: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
  ]);
  // preceding bytes shift the base64 encoding by up to two bytes; the characters at both ends depend on the surrounding bytes
  for (const before of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const inside = encoded.slice(before === 0 ? 0 : before + 1, -1);
    if (inside.length < 7) continue;
    spellings.add(inside);
    spellings.add(inside.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return [...spellings];
}
