import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { metricDefinitions } from '../../identity/src/metrics/metric-definitions.ts';
import type { Definition } from '../../identity/src/metrics/metric-definitions.ts';
import { root } from '../root.ts';

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat?: string }[];
}

const definitions: Readonly<Record<string, Definition>> = metricDefinitions;

/** The metrics in the files that Prometheus, its client library and Node define. */
const foreignMetrics = [
  'up',
  'process_resident_memory_bytes',
  'process_cpu_seconds_total',
  'nodejs_eventloop_lag_p99_seconds',
];

/** Labels that Prometheus adds, and the boundary of a histogram's bucket. */
const foreignLabels = ['job', 'instance', 'le'];

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const { panels } = JSON.parse(read('deploy/grafana/anteroom.json')) as { panels: Panel[] };
const rules = parse(read('deploy/monitoring/anteroom.rules.yaml')) as {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
};

const expressions = [
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat = '' }) => ({ origin: `panel "${title}"`, expr, legendFormat })),
  ),
  ...rules.groups.flatMap((group) =>
    group.rules.map(({ alert, expr }) => ({ origin: `alert ${alert}`, expr, legendFormat: '' })),
  ),
];

/** The metric to which a series belongs. A histogram has three series, which end in `_bucket`, `_sum` and `_count`. */
function findMetric(series: string): string | undefined {
  const histogram = series.replace(/_(?:bucket|sum|count)$/, '');
  if (definitions[histogram]?.type === 'histogram') return histogram === series ? undefined : histogram;
  return definitions[series] && series;
}

const seriesOf = (expr: string): string[] => expr.match(/\b(?:anteroom|process|nodejs)_\w+|\bup\b/g) ?? [];

/** Parses `name{label="value",…}`: each label with the values to which the expression compares it. */
function matchersOf(expr: string): { series: string; label: string; values: string[] }[] {
  return [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, series = '', selectors = '']) =>
    [...selectors.matchAll(/(\w+)(=|!=|=~|!~)"([^"]*)"/g)].map(
      ([, label = '', operator = '', value = '']) => ({
        series,
        label,
        values: operator.endsWith('~') ? value.split('|') : [value],
      }),
    ),
  );
}

/** The labels in `by (a, b)` and in the legend: `{{a}} {{b}}`. */
const shownLabelsOf = (expr: string, legend: string): string[] => [
  ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/)),
  ...[...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
];

describe('the dashboard and the alerting rules', () => {
  test.each(expressions)('$origin uses only series that the service has', ({ expr }) => {
    const series = seriesOf(expr);
    expect(series).not.toEqual([]);
    expect(series.filter((name) => !foreignMetrics.includes(name) && !findMetric(name))).toEqual([]);
  });

  test.each(expressions)('$origin uses only labels that its metrics have', ({ expr, legendFormat }) => {
    const labelsOf = (series: string): string[] => [
      ...Object.keys(definitions[findMetric(series) ?? '']?.labels ?? {}),
      ...foreignLabels,
    ];
    const unknown = matchersOf(expr).filter(({ series, label }) => !labelsOf(series).includes(label));
    expect(unknown).toEqual([]);
    const known = seriesOf(expr).flatMap(labelsOf);
    expect(shownLabelsOf(expr, legendFormat).filter((label) => !known.includes(label))).toEqual([]);
  });

  test.each(expressions)(
    '$origin compares a label that has a closed list only with values of it',
    ({ expr }) => {
      const listed = (series: string, label: string): string[] =>
        [...(definitions[findMetric(series) ?? '']?.labels?.[label] ?? '').matchAll(/`([^`]+)`/g)].map(
          ([, value = '']) => value,
        );
      const wrong = matchersOf(expr).filter(({ series, label, values }) => {
        const list = listed(series, label);
        return list.length > 0 && !values.every((value) => list.includes(value));
      });
      expect(wrong).toEqual([]);
    },
  );

  test('the dashboard shows every metric of the service', () => {
    const shown = new Set(
      panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => seriesOf(expr).map(findMetric))),
    );
    expect(Object.keys(definitions).filter((name) => !shown.has(name))).toEqual([]);
  });

  test('panels of the dashboard have different ids and do not overlap', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ title, gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => ({
        title,
        cell: `${x + (index % w)},${y + Math.floor(index / w)}`,
      })),
    );
    const taken = Map.groupBy(cells, ({ cell }) => cell);
    const overlaps = [...taken.values()]
      .filter((titles) => titles.length > 1)
      .map((all) => all.map((one) => one.title));
    expect(overlaps).toEqual([]);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });

  test('every alert that a panel names exists', () => {
    const alerts = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert));
    const named = JSON.stringify(panels).match(/\bAnteroom[A-Z]\w+/g) ?? [];
    expect(named).not.toEqual([]);
    expect(named.filter((name) => !alerts.includes(name))).toEqual([]);
  });
});
