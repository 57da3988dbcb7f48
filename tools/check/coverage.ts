import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import type { StageResult } from '../stage.ts';
import { findTestsOf } from '../test/tiers.ts';
import type { Tier } from '../test/tiers.ts';

/** The pages that list where each rule is proved. The rules are written by hand, the files of the tests are not. */
const pages = ['docs/specification-coverage.md', 'docs/security-coverage.md', 'docs/accessibility.md'];

const id = String.raw`(?:WCAG )?(?:\d+(?:\.\d+)+|[A-Z]\d\d)`;
const tags = new RegExp(String.raw` \[(${id}(?:, ${id})*)\]['"\`],`, 'g');
const row = /^\| (\d+(?:\.\d+)+|[A-Z]\d\d) /;

/** The ids at the end of the titles in a source, as in `test('a code is valid once [4.8, S36]', …)`. */
export function readIds(source: string): string[] {
  const code = source.replaceAll(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(tags)].flatMap(([, ids = '']) => ids.replaceAll('WCAG ', '').split(', '));
}

/** The files that prove each rule, in each tier. */
export type Proofs = ReadonlyMap<string, Readonly<Record<Tier, readonly string[]>>>;

function readProofs(): Proofs {
  const proofs = new Map<string, Record<Tier, string[]>>();
  for (const tier of ['first', 'rest'] as const) {
    const files = [...findTestsOf(tier, 'vitest'), ...findTestsOf(tier, 'playwright')];
    for (const file of files) {
      for (const rule of new Set(readIds(readFileSync(join(root, file), 'utf8')))) {
        const proof = proofs.get(rule) ?? { first: [], rest: [] };
        proof[tier].push(file);
        proofs.set(rule, proof);
      }
    }
  }
  return proofs;
}

const list = (files: readonly string[]): string => files.map((file) => `\`${file}\``).join('<br>');

/** A page with the files that prove each rule in the last two columns of its tables, and the rules without a proof. */
export function fillPage(
  page: string,
  proofs: Proofs,
): { filled: string; rules: string[]; unproved: string[] } {
  const rules: string[] = [];
  const unproved: string[] = [];
  const filled = page
    .split('\n')
    .map((line) => {
      const rule = row.exec(line)?.[1];
      if (rule === undefined) return line;
      rules.push(rule);
      const proof = proofs.get(rule);
      // no test can prove some criteria of accessibility: their rows say why
      if (!proof && / \| none: [^|]+ \| {2}\|$/.test(line)) return line;
      if (!proof) unproved.push(rule);
      const byHand = line.split(' | ').slice(0, -2).join(' | ');
      return `${byHand} | ${list(proof?.first ?? [])} | ${list(proof?.rest ?? [])} |`;
    })
    .join('\n');
  return { filled, rules, unproved };
}

/** The pages with their current tables, and what is wrong: rules without a test, and ids of tests without a rule. */
export function drawCoverage(): {
  files: { path: string; current: string; filled: string }[];
  faults: string[];
} {
  const proofs = readProofs();
  const unknown = new Set(proofs.keys());
  const faults: string[] = [];
  const files = pages.map((name) => {
    const path = join(root, name);
    const current = readFileSync(path, 'utf8');
    const { filled, rules, unproved } = fillPage(current, proofs);
    for (const rule of rules) unknown.delete(rule);
    faults.push(...unproved.map((rule) => `${name}: the title of no test ends in [${rule}]`));
    return { path, current, filled };
  });
  faults.push(
    ...[...unknown].map(
      (rule) =>
        `${proofs
          .get(rule)
          ?.first.concat(proofs.get(rule)?.rest ?? [])
          .join(', ')}: no page has a row ${rule}`,
    ),
  );
  return { files, faults };
}

/** Checks that each rule has a test, that each id of a test is a rule, and that the tables are up to date. */
export function checkCoverage(): Promise<StageResult> {
  const { files, faults } = drawCoverage();
  const stale = files.filter(({ current, filled }) => current !== filled);
  const output = [
    ...faults,
    ...stale.map(({ path }) => `${path} is out of date: run \`node tools/write-coverage.ts\``),
  ].join('\n');
  return Promise.resolve({ passed: output ? 0 : 1, failed: output ? 1 : 0, output });
}
