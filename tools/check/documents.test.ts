import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environment } from '../../identity/src/environment.ts';
import { root } from '../root.ts';

const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root });
const folders = 'contract|web|identity|boards-demo|testkit|e2e|bench|tools|docs';

/** What only a build or a run puts there. */
const made = /^(?:web\/dist|\.cache)\b/;

function read(document: string): string {
  return readFileSync(join(root, document), 'utf8');
}

describe('the documents tell the truth', () => {
  test.each(documents)('every file that %s names is there', (document) => {
    const named = [...read(document).matchAll(/`([^`\s]+)`/g)].map((match) => match[1] ?? '');
    // a name with a placeholder (<step>, {en,de}, *) stands for many
    const paths = named.filter(
      (name) => new RegExp(`^(?:${folders})/[\\w./-]+$`).test(name) && !made.test(name),
    );
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test.each(documents)('every link of %s leads somewhere', (document) => {
    const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    const files = links.filter((link) => !/^[a-z]+:|^#/.test(link)).map((link) => link.replace(/#.*$/, ''));
    expect(files.filter((file) => !existsSync(join(root, dirname(document), file)))).toEqual([]);
  });

  test('every setting of the service is in the operations page, and nothing else is', () => {
    const settings = Object.keys(environment.entries).toSorted();
    const page = read('docs/operations.md');
    expect(settings.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const table = page.split('\n').filter((line) => /^\| `[A-Z]/.test(line));
    const told = table.flatMap((line) =>
      [...(line.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g)].map((match) => match[1] ?? ''),
    );
    expect(told.toSorted()).toEqual(settings);
  });
});
