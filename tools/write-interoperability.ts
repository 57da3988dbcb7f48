// Runs the journeys with third-party programs and generates docs/interoperability.md from those that pass; --check only
// compares the journeys on the page with the existing journeys.
import { readFileSync, writeFileSync } from 'node:fs';
import { requireChromium } from './chromium.ts';
import { runCommand } from './command.ts';
import { buildFrontEndWhenStale } from './front-end.ts';

const file = new URL('../docs/interoperability.md', import.meta.url);

/** The journeys with a `peer` annotation. */
const journeys = ['journeys/peers/', 'journeys/samples', 'journeys/company-saml'];

type Annotation = { type: string; description?: string };
type Report = { suites: Suite[]; errors: unknown[] };
type Suite = { suites?: Suite[]; specs: { title: string; file: string; tests: Test[] }[] };
type Test = { status: string; annotations: Annotation[] };

/** A row of the page: a journey with a peer. */
type Row = { peer: string; version: string; title: string; file: string; status: string };

async function readRows(more: readonly string[], env: Record<string, string> = {}): Promise<Row[]> {
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=json', ...more, ...journeys];
  const { stdout, output } = await runCommand('playwright', args, { env });
  if (!stdout.startsWith('{')) throw new Error(output);
  const report = JSON.parse(stdout) as Report;
  return rowsOf(report.suites).toSorted(
    (one, other) => one.peer.localeCompare(other.peer, 'en') || one.title.localeCompare(other.title, 'en'),
  );
}

function rowsOf(suites: readonly Suite[]): Row[] {
  return suites.flatMap(({ suites: inner = [], specs }) => [
    ...specs.flatMap(({ title, file: source, tests }) =>
      tests.flatMap(({ status, annotations }) => {
        const find = (type: string) =>
          annotations.find((annotation) => annotation.type === type)?.description;
        const peer = find('peer');
        const version = find('version') ?? '';
        return peer === undefined ? [] : [{ peer, version, title, file: `e2e/${source}`, status }];
      }),
    ),
    ...rowsOf(inner),
  ]);
}

const draw = (rows: readonly Row[]): string => `# Interoperability

Programs of other projects, each with the journeys that they pass in a real Chromium. \`node tools/write-interoperability.ts\`
runs the journeys and writes this page; it writes nothing when one fails or cannot run. \`npm run test:all\` runs them too, and says which could not
run because a program is not installed.

| peer | version | what passes | journey |
| --- | --- | --- | --- |
${rows.map(({ peer, version, title, file: source }) => `| ${peer} | ${version} | ${title} | \`${source}\` |`).join('\n')}

Entra ID, Okta, Google Workspace and AD FS cannot run on a test machine. Their SAML responses and ID tokens, written after their own
documents and not recorded from them, sign a new user in over a connection that was made by the command of its guide
(\`identity/src/company/provider-shapes.test.ts\`).

Assertions stay unencrypted with SimpleSAMLphp and LemonLDAP::NG. By its source, SimpleSAMLphp 1.19.7 encrypts for a certificate with AES-128-CBC
alone. Lasso 2.8.1, the SAML library of LemonLDAP::NG in Debian 12, links the CBC ciphers of xmlsec alone. The service accepts AES-GCM only
(\`docs/decisions/051-encrypted-assertions.md\`); samlify signs in with it (\`identity/src/company/saml-sign-on.test.ts\`).
`;

if (process.argv.includes('--check')) {
  const found = await readRows(['--list']);
  const page = readFileSync(file, 'utf8').split('\n');
  const written = page.filter((line) => line.startsWith('| ')).slice(2);
  // compares without versions, which a list of journeys does not contain
  const keyOf = (peer: string, title: string, source: string) => [peer, title, source].join(' | ');
  const there = found.map(({ peer, title, file: source }) => keyOf(peer, title, `\`${source}\``));
  const listed = written.map((line) => {
    const [peer = '', , title = '', source = ''] = line.replace(/^\| | \|$/g, '').split(' | ');
    return keyOf(peer, title, source);
  });
  if (there.length === 0 || there.join('\n') !== listed.join('\n')) {
    process.stderr.write(
      'interoperability.md has other journeys than e2e/interoperability.md has other journeys than e2e/: run `node tools/write-interoperability.ts`\n',
    );
    process.exitCode = 1;
  }
} else {
  const chromium = await requireChromium();
  await buildFrontEndWhenStale();
  const rows = await readRows(['--workers', '1'], { CHROMIUM: chromium });
  const missing = rows.filter(({ status }) => status !== 'expected');
  if (rows.length === 0 || missing.length > 0)
    throw new Error(
      `These did not pass:\n${missing.map(({ peer, title }) => `${peer}: ${title}`).join('\n')}`,
    );
  writeFileSync(file, draw(rows));
}
