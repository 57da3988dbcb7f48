// The least that `authenticate` can cost on PostgreSQL with Node: an HTTP request, four named statements, and the hash.
// Runs as a separate process.
import { createServer } from 'node:http';
import { availableParallelism } from 'node:os';
import { demoPassword } from '@anteroom/testkit/demo-users';
import { hash, verify } from '@node-rs/argon2';
import { Pool } from 'pg';

const [port = '0', databaseUrl] = process.argv.slice(2);
const rows = 512;
const pool = new Pool({ connectionString: databaseUrl, max: 10 });
await pool.query('create table bare (id integer primary key, count integer not null)');
await pool.query('insert into bare select id, 0 from generate_series(0, $1) id', [rows]);
const stored = await hash(demoPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

let requests = 0;
const read = async (id: number) =>
  pool.query({ name: 'read', text: 'select count from bare where id = $1', values: [id] });
const write = async (id: number) =>
  pool.query({ name: 'write', text: 'update bare set count = count + 1 where id = $1', values: [id] });

/** One hash per core at a time, as in the service. */
const slots = Array.from({ length: availableParallelism() }, async () => Promise.resolve());
async function checkPassword(): Promise<boolean> {
  const slot = requests % slots.length;
  const checked = (slots[slot] ?? Promise.resolve()).then(async () => verify(stored, demoPassword));
  slots[slot] = checked.then(() => undefined);
  return checked;
}

createServer((request, response) => {
  if (request.url === '/processor') {
    response.end(JSON.stringify(process.cpuUsage()));
    return;
  }
  const id = (requests += 1) % rows;
  void read(id)
    .then(async () => write(id))
    .then(checkPassword)
    .then(async (isRight) => {
      await write(id);
      await write(id);
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ isRight }));
    });
}).listen(Number(port), 'localhost');
