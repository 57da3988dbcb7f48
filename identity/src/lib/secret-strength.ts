/**
 * A conservative estimate of the entropy of `text` in bits: the Shannon entropy of its characters over its shortest
 * period. Ascending or descending text (`abcdef…`, `012345…`) has none. Random text of 43 base64url characters is
 * estimated at about 200 bits, 64 hexadecimal digits at about 240.
 */
export function estimateBits(text: string): number {
  const period = text.slice(0, shortestPeriod(text));
  const codes = Array.from(Buffer.from(period));
  const steps = codes.slice(1).filter((code, index) => Math.abs(code - (codes[index] ?? 0)) <= 1).length;
  if (steps * 2 > codes.length) return 0;
  const counts = [...Map.groupBy(codes, (code) => code).values()];
  return counts.reduce((bits, { length }) => bits + length * Math.log2(codes.length / length), 0);
}

function shortestPeriod(text: string): number {
  return (text + text).indexOf(text, 1);
}
