// A process that opens the embedded database in a directory, writes a setting, and keeps the database open until it is killed.
import { pino } from 'pino';
import { openDatabase } from '../src/store/open-database.ts';

const [directory = '', name = ''] = process.argv.slice(2);
try {
  const { database } = await openDatabase({ kind: 'embedded', directory }, pino({ level: 'silent' }));
  await database.insertInto('settings').values({ name, value: '{}' }).execute();
  const rows = await database.selectFrom('settings').select('name').orderBy('name').execute();
  process.stdout.write(`holding ${rows.map((row) => row.name).join(',')}\n`);
  setInterval(() => undefined, 1000);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
