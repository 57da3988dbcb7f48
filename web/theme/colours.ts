import { contrastOf, parseColour } from '../src/boot/accent.ts';
import type { Colour } from '../src/boot/accent.ts';
import { ThemeError } from './theme-file.ts';
import type { ThemeFile } from './theme-file.ts';

type Scheme = 'light' | 'dark';

/** The rule of each scheme in the built page, as the build writes `ui/tokens.css`. */
const rules: Readonly<Record<Scheme, RegExp>> = {
  light: /(?<=<style>):root\{[^}]*\}/,
  dark: /(?<=@media screen and \(prefers-color-scheme:dark\)\{):root\{[^}]*\}/,
};

const token = /--([\w-]+):(#[0-9a-f]{3,6}|transparent)(?=[;}])/g;

/** Colours in front, the surfaces behind them, and the contrast that they need (WCAG 2.2, 1.4.3 and 1.4.11). */
const pairs: readonly { front: string; behind: readonly string[]; needed: number }[] = [
  { front: 'ink', behind: ['paper', 'paper-light', 'surface', 'raised'], needed: 4.5 },
  { front: 'ink-soft', behind: ['paper', 'paper-light', 'surface', 'raised'], needed: 4.5 },
  { front: 'accent', behind: ['paper', 'surface', 'raised', 'accent-soft'], needed: 4.5 },
  { front: 'accent-strong', behind: ['surface', 'raised', 'accent-soft'], needed: 4.5 },
  { front: 'on-accent', behind: ['accent', 'accent-strong'], needed: 4.5 },
  { front: 'error', behind: ['surface', 'error-soft'], needed: 4.5 },
  { front: 'info', behind: ['surface', 'info-soft'], needed: 4.5 },
  { front: 'await', behind: ['surface', 'await-soft'], needed: 4.5 },
  { front: 'line-strong', behind: ['surface'], needed: 3 },
];

/**
 * The built page with the colours of a theme.
 * @throws ThemeError if a colour is unknown, unsafe or unreadable
 */
export function applyColours(page: string, { colours = {} }: ThemeFile): string {
  return (['light', 'dark'] as const).reduce(
    (themed, scheme) => applyScheme(themed, scheme, colours[scheme] ?? {}),
    page,
  );
}

function applyScheme(page: string, scheme: Scheme, chosen: Readonly<Record<string, string>>): string {
  const [rule] = rules[scheme].exec(page) ?? [];
  if (rule === undefined) throw new Error(`The page has no ${scheme} colours.`);
  const built = new Map([...rule.matchAll(token)].map(([, name = '', value = '']) => [name, value]));
  const values = new Map([...built, ...Object.entries(chosen)]);
  for (const [name, value] of Object.entries(chosen)) {
    const place = `colours.${scheme}.${name}`;
    if (!built.has(name))
      throw new ThemeError(`${place}: there is no such colour. Use one of ${[...built.keys()].join(', ')}.`);
    if (!parseColour(value))
      throw new ThemeError(`${place}: ${JSON.stringify(value)} is no colour. Write it as #rrggbb.`);
  }
  // Colours that the theme does not touch belong to the build.
  const touched = pairs.flatMap(({ front, behind, needed }) =>
    behind
      .filter((ground) => front in chosen || ground in chosen)
      .map((ground) => ({ front, ground, needed })),
  );
  for (const { front, ground, needed } of touched) requireContrast(scheme, values, { front, ground, needed });
  const themed = rule.replaceAll(token, (_, name: string) => `--${name}:${values.get(name) ?? ''}`);
  const [before, after] = [built.get('paper') ?? '', values.get('paper') ?? ''];
  return page
    .replace(rule, () => themed)
    .replace(
      `content="${before}" media="(prefers-color-scheme: ${scheme})"`,
      () => `content="${after}" media="(prefers-color-scheme: ${scheme})"`,
    );
}

function requireContrast(
  scheme: Scheme,
  values: ReadonlyMap<string, string>,
  { front, ground, needed }: { front: string; ground: string; needed: number },
): void {
  const contrast = contrastOf(requireColour(values.get(front)), requireColour(values.get(ground)));
  if (contrast >= needed) return;
  const [found, colour, surface] = [contrast.toFixed(1), values.get(front), values.get(ground)];
  throw new ThemeError(
    `colours.${scheme}.${front}: ${colour} on ${ground} (${surface}) has a contrast of ${found}:1 and needs ${needed}:1. Choose another ${front} or ${ground}.`,
  );
}

/** A colour of the build can have the short form `#rgb`. */
function requireColour(text = ''): Colour {
  const colour = parseColour(text.length === 4 ? text.replaceAll(/[0-9a-f]/gi, '$&$&') : text);
  if (!colour) throw new Error(`${text} is no colour.`);
  return colour;
}
