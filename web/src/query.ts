/** Appends a query without its undefined parameters. */
export function withQuery(address: string, query: Record<string, string | undefined>): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = new URLSearchParams(entries).toString();
  return `${address}${search && `?${search}`}`;
}

/** The query of a relative or absolute address. */
export function queryOf(address: string | undefined): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(address ?? '')?.[1]);
}

/** Finds a query parameter by its case-insensitive name. */
export function findParameter(query: URLSearchParams, name: string): string | undefined {
  return [...query].find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}
