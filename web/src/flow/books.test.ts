import type { BookVersion } from '@anteroom/contract';
import fc from 'fast-check';
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

describe('books compared with the versions that the user has seen', () => {
  test.each([
    ['the same', [book('a')], false, false],
    [
      'in another order, with versions as strings',
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
    ['unknown [4.28]', [book('a'), book('b')], true, false],
    ['marked new', [book('a', { state: 'new' })], true, false],
    ['marked updated', [book('a', { state: 'updated' })], false, true],
    ['a removed tab', [book('a', { tabVersions: [{ id: 't1', version: 1 }] })], false, true],
    [
      'another version of a document',
      [book('a', { documentVersions: [{ id: 'd1', version: 9 }] })],
      false,
      true,
    ],
    ['no books', [], false, false],
  ])('%s', (_, books, newMaterials, bookUpdates) => {
    expect(freshMaterials(books, [book('a')])).toEqual({ newMaterials, bookUpdates });
  });
});

describe('for any books', () => {
  const versions = fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c'), version: fc.nat(3) }), {
    selector: ({ id }) => id,
  });
  const anyBook: fc.Arbitrary<BookVersion> = fc.record({
    bookId: fc.constantFrom('one', 'two', 'three'),
    state: fc.constantFrom(undefined, 'new', 'updated'),
    tabVersions: versions,
    documentVersions: versions,
  });
  const books = fc.uniqueArray(anyBook, { selector: ({ bookId }) => bookId });
  const unmarked = books.map((all) => all.map((one) => ({ ...one, state: undefined })));
  const asTexts = (all: readonly BookVersion[]): BookVersion[] =>
    all.toReversed().map((one) => ({
      ...one,
      tabVersions: one.tabVersions.map(({ id, version }) => ({ id, version: String(version) })),
      documentVersions: one.documentVersions.toReversed(),
    }));

  test('seen books are not fresh, in any order and with versions as numbers or strings', () => {
    fc.assert(
      fc.property(unmarked, (all) => {
        expect(freshMaterials(all, asTexts(all))).toEqual({ newMaterials: false, bookUpdates: false });
      }),
    );
  });

  test('without seen books every book is new, and only a book marked updated is updated', () => {
    fc.assert(
      fc.property(books, (all) => {
        expect(freshMaterials(all, [])).toEqual({
          newMaterials: all.length > 0,
          bookUpdates: all.some(({ state }) => state === 'updated'),
        });
      }),
    );
  });

  test('each book counts separately: a list is as fresh as its freshest book', () => {
    fc.assert(
      fc.property(books, books, (current, stored) => {
        const each = current.map((one) => freshMaterials([one], stored));
        expect(freshMaterials(current, stored)).toEqual({
          newMaterials: each.some(({ newMaterials }) => newMaterials),
          bookUpdates: each.some(({ bookUpdates }) => bookUpdates),
        });
      }),
    );
  });

  test('an added, removed or changed version makes a known book updated, not new [4.28]', () => {
    fc.assert(
      fc.property(anyBook, fc.constantFrom('tabVersions', 'documentVersions'), (known, part) => {
        const stored = { ...known, state: undefined };
        const [first, ...others] = stored[part];
        const changed = first
          ? [others, [...stored[part], { id: 'z', version: 1 }], [{ ...first, version: 'other' }, ...others]]
          : [[{ id: 'z', version: 1 }]];
        for (const now of changed)
          expect(freshMaterials([{ ...stored, [part]: now }], [stored])).toEqual({
            newMaterials: false,
            bookUpdates: true,
          });
      }),
    );
  });
});
