import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shots } from './shots.ts';

test('the record contains exactly the pictures of the shots', () => {
  const recorded = globSync('*.png', { cwd: join(import.meta.dirname, 'record') });
  expect(recorded.toSorted()).toEqual(shots.map(({ name }) => `${name}.png`).toSorted());
});
