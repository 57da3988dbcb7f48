/** A measured number, and its budget if it has one. */
export interface Figure {
  what: string;
  value: number;
  unit: 'kB' | 'files' | 'ms' | 's' | '/s' | 'MB' | '%' | 'shift' | 'calls' | '×' | 'tables' | 'statements';
  /** The limit that the value must not exceed (or, for `atLeast`, fall below). */
  budget?: { atMost: number } | { atLeast: number };
}

/** A benchmark, by its name for `npm run bench <name>`. */
export interface Bench {
  name: string;
  about: string;
  run: () => Promise<Figure[]>;
}

export function isWithinBudget({ value, budget }: Figure): boolean {
  if (!budget) return true;
  return 'atMost' in budget ? value <= budget.atMost : value >= budget.atLeast;
}

function format(value: number, unit: Figure['unit']): string {
  const digits =
    Number.isInteger(value) || Math.abs(value) >= 1000
      ? 0
      : unit === 'shift'
        ? 3
        : unit === '×' || (unit === 'ms' && value < 10)
          ? 2
          : 1;
  return `${value.toFixed(digits)} ${unit === 'shift' ? '' : unit}`.trim();
}

/** Renders figures as a Markdown table, for the terminal and the README. */
export function toTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { what, value, unit, budget } = figure;
    const bar = budget
      ? 'atMost' in budget
        ? `≤ ${format(budget.atMost, unit)}`
        : `≥ ${format(budget.atLeast, unit)}`
      : '';
    return [what, format(value, unit), bar, budget ? (isWithinBudget(figure) ? 'yes' : 'NO') : ''];
  });
  const lines = [['what', 'measured', 'budget', 'holds'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const toLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [
    toLine(head),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...body.map(toLine),
  ].join('\n');
}

/** The median of an odd number of measurements. A single outlier hardly changes it. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The value that `share` (0 to 1) of the measurements do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
