import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../command.ts';
import { root } from '../root.ts';
import type { StageResult } from '../stage.ts';

interface SourceRule {
  pattern: RegExp;
  /** The files to which the rule applies; absent: all. */
  files?: RegExp;
  why: string;
}

/** Rules that no linter offers. The patterns are written so that they do not match this file. */
const rules: readonly SourceRule[] = [
  { pattern: /\bas unknown as\b/, why: 'a forced cast hides errors: parse the value, or correct its type' },
  {
    pattern: /(?:oxlint|eslint)-disable(?!.* -- \S)/,
    why: 'an exception from a rule needs a reason: -- because …',
  },
  { pattern: /\bwaitForTimeout\(/, why: 'a test waits for a condition, never for a time' },
  {
    pattern: /(?<!\.)\b(?:setTimeout|wait|sleep)\((?:[^()]|\([^()]*\))*\)/,
    files: /\.(?:test|journey)\.tsx?$/,
    why: 'a test moves its clock, or waits for a condition',
  },
  {
    // oxlint has rules for Vitest's functions, but not for Playwright's
    pattern: /\b(?:test|it|describe)\.(?:skip|only|todo|fixme|fails)\b/,
    why: 'a skipped test proves nothing',
  },
  {
    // Matches inserts, updates, deletes and raw SQL.
    pattern: /(?:Table|Into|From)\('sign_ins'|\b(?:update|into|from) sign_ins\b/,
    files: /^identity\/src\/(?!sign-in\/sign-ins-store|store\/).*(?<!\.test)\.ts$/,
    why: 'only sign-ins-store.ts writes the table sign_ins',
  },
  {
    pattern: /@ts-expect-error/,
    files: /(?<!\.test)\.tsx?$/,
    why: 'only tests state that something must not compile, with the reason',
  },
];

/** The lines of a source that break a rule, with the reason. */
export function findBreaches(file: string, source: string): { line: number; text: string; why: string }[] {
  return source
    .split('\n')
    .flatMap((text, index) =>
      rules
        .filter(({ pattern, files }) => (!files || files.test(file)) && pattern.test(text))
        .map(({ why }) => ({ line: index + 1, text: text.trim(), why })),
    );
}

/** Checks every source that git tracks or would add. */
export async function checkSourceRules(): Promise<StageResult> {
  const listed = await runCommand('git', [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '*.ts',
    '*.tsx',
  ]);
  // excludes the rules and their test, which contain the forbidden patterns
  const files = listed.stdout
    .split('\n')
    .filter((file) => file && existsSync(join(root, file)) && !file.startsWith('tools/check/source-rules'));
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
