// npm run packages: creates the three packages for other identity services, as npm publishes them, in `release/packages`.
import { join } from 'node:path';
import { makePackages } from './packages/make-packages.ts';
import { root } from './root.ts';

try {
  const packages = await makePackages(process.argv[2] ?? join(root, 'release', 'packages'));
  process.stdout.write(`${Object.values(packages).join('\n')}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
