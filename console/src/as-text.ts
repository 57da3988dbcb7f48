/** A value of an entry as a form shows it. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(asText).join('\n');
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value in a table. */
export function asCell(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return asText(value).replaceAll('\n', ', ');
}
