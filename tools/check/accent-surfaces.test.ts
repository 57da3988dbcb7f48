import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatColour, schemes } from '../../web/src/boot/accent.ts';
import { root } from '../root.ts';

const [light = '', dark = ''] = readFileSync(join(root, 'web/src/ui/tokens.css'), 'utf8').split(
  'prefers-color-scheme: dark',
);

test.each([
  ['light', light],
  ['dark', dark],
] as const)(
  'the surfaces against which accents are checked in the %s scheme are those of tokens.css',
  (scheme, styles) => {
    for (const token of ['surface', 'paper', 'raised']) {
      const written = new RegExp(`--${token}: (#[0-9a-f]+);`).exec(styles)?.[1] ?? '';
      const full = written.length === 4 ? written.replaceAll(/[0-9a-f]/g, '$&$&') : written;
      expect(schemes[scheme].surfaces.map(formatColour)).toContain(full);
    }
  },
);
