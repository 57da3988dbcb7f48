import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import type { StageResult } from '../stage.ts';

/**
 * Declarations with a physical side of the screen. One stylesheet serves every language, including right-to-left ones,
 * only if it uses logical sides.
 */
const physical = [
  /(?:^|[\s;{])(?:margin|padding|scroll-margin|scroll-padding)-(?:left|right)\s*:/,
  /(?:^|[\s;{])border-(?:left|right)(?:-(?:width|style|color))?\s*:/,
  /(?:^|[\s;{])border-(?:top|bottom)-(?:left|right)-radius\s*:/,
  /(?:^|[\s;{])(?:left|right)\s*:/,
  /(?:^|[\s;{])(?:text-align|float|clear|caption-side)\s*:\s*(?:left|right)\b/,
  // a shorthand with four values is physical if the second and the fourth differ
  /(?:^|[\s;{])(?:margin|padding|inset|border-width)\s*:\s*\S+\s+(\S+)\s+\S+\s+(?!\1\s*[;}!])\S+\s*[;}!]/,
];

/** The lines of a stylesheet with a physical declaration, numbered from 1. */
export function findPhysicalDeclarations(css: string): { line: number; text: string }[] {
  // keeps the line breaks of comments, so that line numbers stay correct
  const bare = css.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  return bare.split('\n').flatMap((text, index) => {
    const found = physical.some((pattern) => pattern.test(`${text.trim()}\n`));
    return found ? [{ line: index + 1, text: text.trim() }] : [];
  });
}

/** Checks every stylesheet of the front end and the console and the styles in its HTML. */
export async function checkLogicalProperties(): Promise<StageResult> {
  const files = globSync(['{web,console}/src/**/*.css', 'web/public/**/*.css', '{web,console}/*.html'], {
    cwd: root,
  });
  const faults = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const css = file.endsWith('.html') ? onlyStyles(text) : text;
    return findPhysicalDeclarations(css).map(
      ({ line, text: declaration }) => `${file}:${line} ${declaration}`,
    );
  });
  return {
    passed: files.length > 0 && faults.length === 0 ? 1 : 0,
    failed: faults.length === 0 ? 0 : 1,
    note: `${files.length} stylesheets`,
    output: [
      'Physical sides in the styles; write -inline-start and -inline-end, or inset-inline:',
      ...faults,
    ].join('\n'),
  };
}

/** Blanks everything in the HTML except its style elements, keeping line breaks. */
function onlyStyles(html: string): string {
  let inside = false;
  return html
    .split('\n')
    .map((line) => {
      if (/<style[\s>]/.test(line)) inside = true;
      const kept = inside ? line.replaceAll(/<[^>]*>/g, ' ') : '';
      if (line.includes('</style>')) inside = false;
      return kept;
    })
    .join('\n');
}
