// One entry a line, in the three ways that a list is read: by people, by programs, by spreadsheets.

export type ListFormat = {
  heading?: string | undefined;
  format: (entry: Readonly<Record<string, unknown>>) => string;
};

/** What a list says, `import` reads: NDJSON, so that a long one is read as it comes. */
export const jsonLines: ListFormat = { format: (entry) => JSON.stringify(entry) };

export function csv(fields: readonly string[]): ListFormat {
  return {
    heading: fields.join(','),
    format: (entry) => fields.map((field) => toCell(entry[field])).join(','),
  };
}

/**
 * RFC 4180. What a spreadsheet would take for a formula gets an apostrophe before it, by which it is text there (OWASP, CSV
 * injection); `import` takes it away again.
 */
function toCell(value: unknown): string {
  const said = toText(value);
  const harmless = /^[=+\-@\t\r]/.test(said) ? `'${said}` : said;
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Columns as wide as what stands in the first entries; a longer text moves the rest of its line. */
export function columns(
  fields: readonly string[],
  firstEntries: readonly Readonly<Record<string, unknown>>[],
): ListFormat {
  const widths = fields.map((field) =>
    Math.max(field.length, ...firstEntries.map((entry) => shown(entry[field]).length)),
  );
  const toLine = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return { heading: toLine(fields), format: (entry) => toLine(fields.map((field) => shown(entry[field]))) };
}

/** Control characters and marks that turn the direction of a line could make a terminal show, or do, something else. */
function shown(value: unknown): string {
  return value === null || value === undefined || value === '' ? '-' : harmlessText(toText(value));
}

export function harmlessText(said: string): string {
  return said.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(' ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
