import { describe, expect, test } from 'vitest';
import { freshMaterials } from './books.ts';

const book = (bookId: string, more = {}) => ({
  bookId,
  state: undefined,
  tabVersions: [
    { id: 't1', version: 1 },
    { id: 't2', version: 2 },
  ],
  documentVersions: [{ id: 'd1', version: 1 }],
  ...more,
});

describe('books against what a person has already seen', () => {
  test.each([
    ['the same', [book('a')], false, false],
    [
      'in another order, with versions as texts',
      [
        book('a', {
          tabVersions: [
            { id: 't2', version: '2' },
            { id: 't1', version: '1' },
          ],
        }),
      ],
      false,
      false,
    ],
    ['unknown', [book('a'), book('b')], true, false],
    ['marked new', [book('a', { state: 'new' })], true, false],
    ['marked updated', [book('a', { state: 'updated' })], false, true],
    ['one tab less', [book('a', { tabVersions: [{ id: 't1', version: 1 }] })], false, true],
    [
      'another version of a document',
      [book('a', { documentVersions: [{ id: 'd1', version: 9 }] })],
      false,
      true,
    ],
    ['none at all', [], false, false],
  ])('%s', (_, books, newMaterials, bookUpdates) => {
    expect(freshMaterials(books, [book('a')])).toEqual({ newMaterials, bookUpdates });
  });
});
