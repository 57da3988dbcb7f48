import { describe, expect, test } from 'vitest';
import { findPhysicalDeclarations } from './logical-properties.ts';

describe('styles use logical sides of the text, never physical sides of the screen', () => {
  test.each([
    'margin-left: 4px;',
    'padding-right: 4px',
    'border-left: 1px solid;',
    'border-top-left-radius: 2px;',
    'left: 0;',
    'text-align: right;',
    'float: left;',
    'padding: 1px 2px 3px 4px;',
  ])('%s is rejected', (declaration) => {
    expect(findPhysicalDeclarations(`.a {\n  ${declaration}\n}`)).toEqual([{ line: 2, text: declaration }]);
    expect(findPhysicalDeclarations(`.a { color: red; ${declaration} }`)).toHaveLength(1);
  });

  test.each([
    'margin-inline-start: 4px;',
    'inset-inline: 0;',
    'text-align: start;',
    'border-start-start-radius: 2px;',
    'padding: 1px 2px 3px 2px;',
    'padding: 1px 2px;',
    '/* left: 0; */',
    'transform-origin: left;',
  ])('%s is accepted', (declaration) => {
    expect(findPhysicalDeclarations(`.a {\n  ${declaration}\n}`)).toEqual([]);
  });
});
