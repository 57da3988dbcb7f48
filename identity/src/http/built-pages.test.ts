import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeBuiltFrontEnd } from '../../testing/built-front-end.ts';
import { readInlineSources } from './built-pages.ts';

test('the CSP allows the inline elements of shells that exist only in some languages', () => {
  const webDist = makeBuiltFrontEnd();
  for (const form of ['site-entry', 'credentials']) rmSync(join(webDist, `shells/en-${form}.html`));
  expect(readInlineSources(webDist)).toContain('<script>window.early=2</script>');
  rmSync(webDist, { recursive: true });
});
