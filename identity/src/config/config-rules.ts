/** The problem as a list, empty unless it applies. */
export function refuse(isWrong: boolean, problem: string): string[] {
  return isWrong ? [problem] : [];
}

/** A rule of production: the setting `name` must not contain URLs without encryption. */
export function refusePlainHttp(name: string, ...urls: readonly (string | undefined)[]): string[] {
  const isWrong = urls.some((url) => url !== undefined && URL.parse(url)?.protocol === 'http:');
  return refuse(isWrong, `${name}: must begin with https:// in production`);
}
