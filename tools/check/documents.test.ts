import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environment } from '../../identity/src/config/environment.ts';
import { claimsByScope } from '../../identity/src/provider/claims.ts';
import { root } from '../root.ts';

const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root });
const folders = 'contract|web|identity|boards-demo|testkit|verify|e2e|samples|bench|deploy|tools|docs';

/** Paths from the root, in code, links and images. `<step>`, `*` and `{en,de}` match any name. */
const namedPath = new RegExp(`(?<![\\w./:@-])(?:${folders})/(?:[\\w./*@-]|<\\w+>|\\{[\\w,]+\\})+`, 'g');

/** Paths that only a build creates. */
const generated = /^(?:web|identity)\/dist\b/;

function read(document: string): string {
  return readFileSync(join(root, document), 'utf8');
}

/** The anchors of a document's headings, as GitHub generates them. */
function anchorsOf(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text.toLowerCase());
  return new Set(headings.map((text) => text.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')));
}

describe('the documents match the repository', () => {
  test.each(documents)('every path that %s names exists', (document) => {
    const named = [...read(document).matchAll(namedPath)].map(([path]) => path.replace(/[./]+$/, ''));
    const paths = [...new Set(named)].filter((path) => !generated.test(path));
    const exists = (path: string): boolean =>
      /[<*{]/.test(path)
        ? globSync(path.replaceAll(/<\w+>/g, '*'), { cwd: root }).length > 0
        : existsSync(join(root, path));
    expect(paths.filter((path) => !exists(path))).toEqual([]);
  });

  test.each(documents)('every relative link of %s leads to an existing file and heading', (document) => {
    const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    const leadsSomewhere = (link: string): boolean => {
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? document : join(dirname(document), path);
      if (!existsSync(join(root, file))) return false;
      return anchor === undefined || !file.endsWith('.md') || anchorsOf(read(file)).has(anchor);
    };
    const relative = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(relative.filter((link) => !leadsSomewhere(link))).toEqual([]);
  });

  test('every document that a source names exists', () => {
    const sources = globSync('{contract,web,console,identity,testkit,verify,e2e,bench,tools}/**/*.{ts,tsx}', {
      cwd: root,
      exclude: ['**/node_modules/**', '**/dist/**'],
    });
    const missing = sources.flatMap((source) =>
      [...read(source).matchAll(/\bdocs\/[\w/.-]+\.md\b/g)]
        .filter(([path]) => !existsSync(join(root, path)))
        .map(([path]) => `${source}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test('the operations page lists exactly the settings of the service', () => {
    const settings = Object.keys(environment.entries).toSorted();
    const page = read('docs/operations.md');
    expect(settings.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const table = page.split('\n').filter((line) => /^\| `[A-Z]/.test(line));
    const listed = table.flatMap((line) =>
      [...(line.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g)].map((match) => match[1] ?? ''),
    );
    expect(listed.toSorted()).toEqual(settings);
  });

  test('the applications page lists the claims of each scope', () => {
    const page = read('docs/applications.md');
    for (const [scope, claims] of Object.entries(claimsByScope)) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${scope}\` |`)) ?? '';
      expect(claims.filter((claim) => !row.includes(`\`${claim}\``))).toEqual([]);
    }
  });
});
