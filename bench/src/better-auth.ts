// A better-auth server with sign-ins by e-mail and password on PostgreSQL, to compare the work of a sign-in besides the
// hash, which is left out: passwords are compared as they are. Runs as a separate process.
import { createServer } from 'node:http';
import { demoPassword } from '@anteroom/testkit/demo-users';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { Pool } from 'pg';

const [port = '0', databaseUrl, users = '1'] = process.argv.slice(2);
const auth = betterAuth({
  baseURL: `http://localhost:${port}`,
  secret: 'of this measurement alone, with enough characters',
  // as many connections as the service
  database: new Pool({ connectionString: databaseUrl, max: 10 }),
  emailAndPassword: {
    enabled: true,
    password: {
      hash: (password) => Promise.resolve(password),
      verify: ({ hash, password }) => Promise.resolve(hash === password),
    },
  },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' },
});
const { runMigrations } = await getMigrations(auth.options);
await runMigrations();
for (let index = 0; index < Number(users); index += 1)
  await auth.api.signUpEmail({
    body: { email: `user-${index}@bench.example`, name: 'Bench', password: demoPassword },
  });

const handle = toNodeHandler(auth);
createServer((request, response) => {
  if (request.url === '/processor') response.end(JSON.stringify(process.cpuUsage()));
  else void handle(request, response);
}).listen(Number(port), 'localhost');
