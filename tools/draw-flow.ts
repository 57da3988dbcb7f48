// Generates docs/flow.md from the flow table; --check only compares the file with the table.
import { readFileSync, writeFileSync } from 'node:fs';
import { table } from '../web/src/flow/machine.ts';
import { afterSettings } from '../web/src/flow/next-step.ts';

const file = new URL('../docs/flow.md', import.meta.url);

/** The id of a page in Mermaid, which allows no hyphens. */
const id = (page: string): string => (page === 'start' ? '[*]' : page.replaceAll('-', '_'));

function arrows(): string[] {
  const events = new Map<string, string[]>();
  for (const { on, from, to } of table) {
    if (from === 'any') continue;
    for (const source of from)
      for (const target of to) {
        if (target === 'same' || target === source || target === 'error') continue;
        const arrow = `${id(source)} --> ${id(target)}`;
        events.set(arrow, [...(events.get(arrow) ?? []), on]);
      }
  }
  return [...events].map(([arrow, names]) => `  ${arrow}: ${[...new Set(names)].join(', ')}`);
}

function rowsSeenAnywhere(): string[] {
  return table
    .filter(({ from }) => from === 'any')
    .map(({ on, to }) => `| \`${on}\` | ${to.map((page) => `\`${page}\``).join(' ')} |`);
}

function rowsOfPages(): string[] {
  return table
    .filter(({ from }) => from !== 'any')
    .map(
      ({ on, from, to }) =>
        `| ${from === 'any' ? '' : from.map((page) => `\`${page}\``).join(' ')} | \`${on}\` | ${to.map((page) => `\`${page}\``).join(' ')} |`,
    );
}

const wanted = `# The sign-in flow

Drawn from the table in \`web/src/flow\` by \`node tools/draw-flow.ts\`; a check fails when it is stale.
An event that no row expects on a page changes nothing. Every page may end on \`error\`.

\`\`\`mermaid
stateDiagram-v2
${arrows().join('\n')}
\`\`\`

## What follows once the context and the site's settings are known
The first that holds decides.

${afterSettings.map(({ name, step }, index) => `${index + 1}. ${name}: \`${step}\``).join('\n')}

## Events that are met anywhere
| event | may end on |
| --- | --- |
${rowsSeenAnywhere().join('\n')}

## Events of the pages
| page | event | may end on |
| --- | --- | --- |
${rowsOfPages().join('\n')}
`;

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== wanted) {
    process.stderr.write(
      'flow.md is not what the table gives: run/flow.md is not what the table gives: run `node tools/draw-flow.ts`\n',
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, wanted);
}
