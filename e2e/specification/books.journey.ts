import { siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import { entry, nothing } from './open-sites.ts';
import type { Site, Todo } from './open-sites.ts';
import { expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

const book = (
  bookId: string,
  more: Record<string, unknown> = {},
): NonNullable<Site['storedBooks']>[number] => ({
  bookId,
  tabVersions: [{ id: 't1', version: 1 }],
  documentVersions: [{ id: 'd1', version: 1 }],
  ...more,
});

test('books: the select button is named “select board” and lists new books and book updates', async ({
  page,
  visit,
  scripted,
}) => {
  const stored = { storedBooks: [book('b1')] };
  const rows: readonly [
    name: string,
    site: Partial<Site>,
    books: Todo['books'],
    isNew: boolean,
    isUpdated: boolean,
  ][] = [
    ['the same', stored, [book('b1')], false, false],
    ['no books told', stored, undefined, false, false],
    ['unknown', stored, [book('b1'), book('b2')], true, false],
    ['nothing stored', {}, [book('b1')], true, false],
    ['marked new', stored, [book('b1', { state: 'new' })], true, false],
    ['marked updated', stored, [book('b1', { state: 'updated' })], false, true],
    [
      'another version of a tab',
      stored,
      [book('b1', { tabVersions: [{ id: 't1', version: 2 }] })],
      false,
      true,
    ],
    [
      'another version of a document',
      stored,
      [book('b1', { documentVersions: [{ id: 'd1', version: 0 }] })],
      false,
      true,
    ],
    [
      'one tab more',
      stored,
      [
        book('b1', {
          tabVersions: [
            { id: 't1', version: 1 },
            { id: 't2', version: 1 },
          ],
        }),
      ],
      false,
      true,
    ],
    ['one document less', stored, [book('b1', { documentVersions: [] })], false, true],
    ['another tab', stored, [book('b1', { tabVersions: [{ id: 't9', version: 1 }] })], false, true],
    [
      'the same in another order, versions as texts',
      {
        storedBooks: [
          book('b1', {
            tabVersions: [
              { id: 'x', version: 1 },
              { id: 'y', version: 2 },
            ],
          }),
        ],
      },
      [
        book('b1', {
          tabVersions: [
            { id: 'y', version: '2' },
            { id: 'x', version: '1' },
          ],
        }),
      ],
      false,
      false,
    ],
    ['a book that is gone', { storedBooks: [book('b1'), book('b2')] }, [book('b1')], false, false],
    ['both', stored, [book('b2'), book('b1', { state: 'updated' })], true, true],
  ];
  visit.choosing();
  scripted.script.answer('getSites', {
    sites: rows.map(([name, more], index) => ({ ...siteNamed(`s${index}`, name), ...more })),
    userFirstName: 'Dana',
    userLastName: 'Rivers',
    boardsUserName: 'drivers',
    directorToDoItemsEnabled: true,
  });
  scripted.script.answer('getSiteTodo', ({ params }) => {
    const books = rows[Number(params.site.slice(1))]?.[2];
    return { ...nothing, ...(books ? { books } : {}) };
  });
  await visit.open();
  await visit.step('select-site');
  for (const [index, [name, , , isNew, isUpdated]] of rows.entries()) {
    await entry(page, `s${index}`).scrollIntoViewIfNeeded();
    const button = entry(page, `s${index}`).getByRole('button').first();
    await expect(button, name).toHaveAccessibleName(
      new RegExp(`^${wordsPattern('selectSite.board', { site: name }).source}`),
    );
    if (isNew) await expect(button, name).toHaveAccessibleName(wordsPattern('selectSite.newBook'));
    if (isUpdated) await expect(button, name).toHaveAccessibleName(wordsPattern('selectSite.bookUpdate'));
    await expect(entry(page, `s${index}`).locator('[data-skeleton]'), name).toHaveCount(0);
    const accessibleName = (await button.getAttribute('aria-label')) ?? (await button.innerText());
    expect(
      [
        wordsPattern('selectSite.newBook').test(accessibleName),
        wordsPattern('selectSite.bookUpdate').test(accessibleName),
      ],
      name,
    ).toEqual([isNew, isUpdated]);
  }
});
