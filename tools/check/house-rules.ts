import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../command.ts';
import { root } from '../root.ts';
import type { StageResult } from '../stage.ts';

interface HouseRule {
  pattern: RegExp;
  /** Where it counts; everywhere when absent. */
  files?: RegExp;
  why: string;
}

/** What no linter has a rule for. The patterns are written so that they do not find themselves. */
const rules: readonly HouseRule[] = [
  { pattern: /\bas unknown as\b/, why: 'a type that is forced is not a type: parse, or make the type true' },
  {
    pattern: /(?:oxlint|eslint)-disable(?!.* -- \S)/,
    why: 'an exception from a rule has its reason beside it: -- because …',
  },
  { pattern: /\bwaitForTimeout\(/, why: 'a test waits for what it expects, never for a time' },
  {
    pattern: /(?<!\.)\b(?:setTimeout|wait|sleep)\((?:[^()]|\([^()]*\))*\)/,
    files: /\.(?:test|journey)\.tsx?$/,
    why: 'a test moves its clock, or waits for what it expects',
  },
  {
    pattern: /\b(?:test|it|describe)\.(?:skip|only|todo|fixme|fails)\b/,
    why: 'a test that is left out proves nothing',
  },
  { pattern: /@ts-(?:ignore|nocheck)\b|@ts-expect-error\s*$/, why: 'what does not type-check is mended' },
  {
    // inserts, updates, deletes and raw SQL; `end-everything.ts` empties tables by name after a backup was restored
    pattern: /(?:Table|Into|From)\('sign_ins'|\b(?:update|into|from) sign_ins\b/,
    files: /^identity\/src\/(?!sign-ins\/|store\/).*(?<!\.test)\.ts$/,
    why: 'one store owns the table: identity/src/sign-ins/',
  },
  {
    pattern: /@ts-expect-error/,
    files: /(?<!\.test)\.tsx?$/,
    why: 'that something must not compile is said in a test, with what it proves',
  },
];

/** The lines of a source that break a rule of the house, with why. */
export function findBreaches(file: string, source: string): { line: number; text: string; why: string }[] {
  return source
    .split('\n')
    .flatMap((text, index) =>
      rules
        .filter(({ pattern, files }) => (!files || files.test(file)) && pattern.test(text))
        .map(({ why }) => ({ line: index + 1, text: text.trim(), why })),
    );
}

/** Reads every source that is committed or about to be. */
export async function checkHouseRules(): Promise<StageResult> {
  const listed = await runCommand('git', [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '*.ts',
    '*.tsx',
  ]);
  // these two speak about the rules
  const files = listed.stdout
    .split('\n')
    .filter((file) => file && existsSync(join(root, file)) && !file.startsWith('tools/check/house-rules'));
  const faults = files.flatMap((file) =>
    findBreaches(file, readFileSync(join(root, file), 'utf8')).map(
      ({ line, text, why }) => `${file}:${line} ${text}\n    ${why}`,
    ),
  );
  return {
    passed: faults.length === 0 ? 1 : 0,
    failed: faults.length === 0 ? 0 : 1,
    note: `${files.length} files`,
    output: faults.join('\n'),
  };
}
