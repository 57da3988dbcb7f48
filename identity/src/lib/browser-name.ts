/** The order matters: most browsers also send the names of older ones. */
const browsers: readonly [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/**
 * A common browser name such as "Chrome (Windows)"; undefined for an unknown browser. Only names from this file are
 * returned, so that no client can inject text into e-mails (attacks and faults, S07).
 */
export function findBrowserName(userAgent: string | undefined): string | undefined {
  const find = (names: readonly [RegExp, string][]): string | undefined =>
    names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  return browser !== undefined && system !== undefined ? `${browser} (${system})` : (browser ?? system);
}
