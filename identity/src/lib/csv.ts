/** One line of a CSV file, without its line break. */
export function csvLine(values: readonly unknown[]): string {
  return values.map(toCell).join(',');
}

/** RFC 4180. An apostrophe before a formula makes it text in a spreadsheet (OWASP, CSV injection); `import` removes it. */
function toCell(value: unknown): string {
  const text = asText(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A value as people read it in a cell. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(' ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
