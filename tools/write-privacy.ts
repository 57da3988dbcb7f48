// Generates docs/privacy.md from the inventory of personal data; --check only compares the page with the inventory.
import { readFileSync, writeFileSync } from 'node:fs';
import { personalData } from '../identity/src/store/personal-data.ts';

const file = new URL('../docs/privacy.md', import.meta.url);
const tables = Object.entries(personalData);
const personal = tables.filter(([, { purpose }]) => purpose !== undefined);
const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
const columnsOf = (table: (typeof tables)[number][1]): [string, string | false][] =>
  Object.entries<string | false>(table.columns);

const rowsOfColumns = personal.flatMap(([table, row]) =>
  columnsOf(row).flatMap(([column, meaning]) =>
    meaning === false ? [] : [`| \`${table}.${column}\` | ${meaning} |`],
  ),
);
const rowsWithout = tables.map(([table, row]) => {
  const without = columnsOf(row).flatMap(([column, meaning]) => (meaning === false ? [column] : []));
  return `| \`${table}\` | ${code(without) || '–'} |`;
});

const wanted = `# Personal data

For data protection officers and operators: what Anteroom knows about people, where, why and for how long. Written from \`identity/src/store/personal-data.ts\` by \`node tools/write-privacy.ts\`; a check fails when they differ, and a column that is not classified does not
compile and fails a test against the schema.

Anteroom has no analytics, no advertising and no third-party content. It sends personal data to the gateways of SMS and mail, to applications (claims), to the organisation that authenticates a user, to another region that a user is handed over to, and to the board system, each where it is configured.

## Settings of retention

| setting | effect |
| --- | --- |
| \`AUDIT_DAYS\` | how long audit events are kept (365) |
| \`AUDIT_ADDRESSES=false\` | no IP addresses in the audit log |
| \`SESSION_IDLE_MINUTES\`, \`SESSION_ABSOLUTE_HOURS\` | how long a session lives (30 minutes, 12 hours) |
| \`LOG_LEVEL=warn\` | no audit events and no requests in the log |

Expired rows are removed every ten minutes, in all tables. How long the log and backups are kept is up to the operator: a backup has the data until it is replaced.

## Requests of users

| request | command | note |
| --- | --- | --- |
| access, portability | \`anteroom users export <user>\` | JSON, without hashes and secrets |
| rectification | \`anteroom users update <user>\` | the user gets a mail about a new e-mail address or phone number |
| erasure | \`anteroom users remove <user> --dry-run\`, then without \`--dry-run\` | the last column of the next table says what remains |
| restriction | \`anteroom users disable <user>\` | ends all sessions |

Audit events remain with the id of a removed user, which no other table contains any more. Events of operators about that user also name the user name: they remain as long as all other audit events.

## Cookies and browser storage

| cookie | holds | lives |
| --- | --- | --- |
| \`anteroom_session\` | random value; the database has its keyed hash | until the browser is closed or the session ends |
| \`anteroom_provider\` | random value of the OpenID provider | with the session |
| \`XSRF-TOKEN\` | random value against forged requests | with the session |
| known browser | random value, and keyed hashes of the last eight users: their failures in this browser count by account alone | 180 days |
| remembered accounts | encrypted: ids of up to three users and sites, if application and site allow it ([decision 090](decisions/090-accounts-that-a-browser-remembers.md)) | 90 days after the last sign-in; the visitor can delete each; not on a public computer |
| remembered computer | random value; the database has its hash | until it expires; only if the user asked for it |
| \`anteroom_site\`, \`anteroom_locale\`, \`anteroom_theme\` | site, language and colours that the visitor chose | without end |
| \`anteroom_correlation\`, \`anteroom_notice\` | id of the visit; a message for the next page | until the browser is closed; until it is shown |

On https, the cookies that scripts cannot read have the prefix \`__Host-\`.

The session storage of the browser holds a user name between the sign-in and a recovery page, and the name of a file whose loading failed. The local storage says whether a passkey of this device was used last.

## Log and traces

Lines carry user ids, site names and request ids; [observability.md](observability.md#log-lines) lists every field. A test marks passwords, codes, tokens, cookies and phone numbers and searches log, traces and metrics for them (\`identity/src/audit/log-hygiene.test.ts\`).

## Tables with personal data

| table | purpose | kept | on removal of the user | in an export |
| --- | --- | --- | --- | --- |
${personal.map(([table, { purpose, kept, erased, exported }]) => `| \`${table}\` | ${purpose} | ${kept} | ${erased === 'kept, then removed by time' ? 'remains until its time is over' : 'removed'} | ${exported} |`).join('\n')}

## Columns with personal data

| column | what it is |
| --- | --- |
${rowsOfColumns.join('\n')}

## Columns without personal data

| table | columns |
| --- | --- |
${rowsWithout.join('\n')}
`;

if (!process.argv.includes('--check')) writeFileSync(file, wanted);
else if (readFileSync(file, 'utf8') !== wanted) {
  process.stderr.write('docs/privacy.md is out of date: run `node tools/write-privacy.ts`\n');
  process.exitCode = 1;
}
