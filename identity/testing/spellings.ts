/** How a secret might stand in a text: as it is, in an address, in JSON, in hexadecimal, or within something that is base64. */
export function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const spellings = new Set([
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ a: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
  ]);
  // whatever stands before it moves the letters of base64 by up to two bytes; those at the ends depend on what is around
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
