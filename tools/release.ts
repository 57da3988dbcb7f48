// npm run release: creates everything that production needs besides Node, as a folder, an archive, an SBOM and their
// checksums in `release/`. The same commit yields the same bytes on the same platform: times come from the commit,
// names are sorted, and owners are omitted.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { runCommand } from './command.ts';
import { buildFrontEndWhenStale, consoleDistFolder, distFolder } from './front-end.ts';
import { root } from './root.ts';

/** The parts of the repository that run in production or that operators read. */
const shipped = [
  'LICENSE',
  'CHANGELOG.md',
  'contract',
  'deploy',
  'docs',
  'identity',
  'verify/src',
  '*package.json',
  'package-lock.json',
];

const isOnlyForDevelopment = (path: string): boolean =>
  /\.test\.ts$|\/testing\/|^docs\/pictures\/|tsconfig|vitest\.config/.test(path);

/** Packages that contain only types for other packages; they are never loaded. */
const typePackages = ['@types', '@typescript', 'typescript', 'undici-types'];

/** Packages that are not bundled (`external` in `bundle/bundle.config.ts`). */
const isSeparatePackage = (path: string): boolean => /^(?:@node-rs|@electric-sql\/pglite)(?:\/|$)/.test(path);

/** Workspaces of which the release contains only what was built from them. */
const builtFolders = ['console', 'identity', 'web'];

/** Files of the sources that the bundled service reads. */
const dataFiles = ['identity/src/passwords/lists', 'identity/src/store/prepared-database'];

interface Component {
  group?: string;
  name: string;
  version: string;
  purl: string;
}

interface Sbom {
  serialNumber?: string;
  metadata: { timestamp: string; component: { name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

const nameOf = ({ group, name }: Component): string => (group ? `${group}/${name}` : name);

const isTypePackage = (name: string): boolean =>
  typePackages.some((typePackage) => name === typePackage || name.startsWith(`${typePackage}/`));

/** Runs a command that must succeed, and returns its standard output. */
async function read(
  command: string,
  args: readonly string[],
  options: Parameters<typeof runCommand>[2] = {},
): Promise<string> {
  const { exitCode, output, stdout } = await runCommand(command, args, options);
  if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
  return stdout;
}

const remove = async (path: string): Promise<void> => rm(path, { recursive: true, force: true });

const readPackage = (folder: string): { version: string; workspaces: string[]; license?: string } =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    workspaces: string[];
    license?: string;
  };

async function copySources(folder: string): Promise<void> {
  const tracked = await read('git', ['ls-files', '--', ...shipped]);
  for (const path of tracked.trim().split('\n')) {
    if (isOnlyForDevelopment(path)) continue;
    await cp(join(root, path), join(folder, path));
  }
  await cp(distFolder, join(folder, 'web', 'dist'), { recursive: true });
  await cp(consoleDistFolder, join(folder, 'console', 'dist'), { recursive: true });
  await cp(join(root, 'tools/bundle/anteroom.mjs'), join(folder, 'bin', 'anteroom'));
  await chmod(join(folder, 'bin', 'anteroom'), 0o755);
}

/** Installs the dependencies. npm needs the lock file and all workspaces for this; `removeSources` removes them. */
async function installDependencies(folder: string): Promise<void> {
  await read(
    'npm',
    ['ci', '--omit=dev', '--workspace=identity', '--ignore-scripts', '--no-audit', '--no-fund'],
    { folder },
  );
}

/** Bundles the service, its commands and their packages into `identity/dist`, and creates the embedded database. */
async function bundle(folder: string, committedAt: Date): Promise<void> {
  await read('rolldown', ['-c', join(root, 'tools/bundle/bundle.config.ts')], { folder });
  await read(
    process.execPath,
    [
      join(root, 'tools/bundle/prepare-database.ts'),
      join(folder, 'identity/src/store/prepared-database'),
      committedAt.toISOString(),
    ],
    // `initdb` writes the time zone into the settings
    { env: { TZ: 'UTC' } },
  );
}

/** Removes the sources, the packages that are bundled, and the files that only npm needs. */
async function removeSources(
  folder: string,
  { version, commit }: { version: string; commit: string },
): Promise<void> {
  const modules = join(folder, 'node_modules');
  const packages = globSync(['*', '@*/*', '.*'], { cwd: modules }).filter((path) => !/^@[^/]+$/.test(path));
  for (const path of packages) if (!isSeparatePackage(path)) await remove(join(modules, path));
  for (const scope of globSync('@*', { cwd: modules }))
    if (readdirSync(join(modules, scope)).length === 0) await remove(join(modules, scope));

  const sources = join(folder, 'sources');
  await rename(join(folder, 'identity'), sources);
  await cp(join(sources, 'dist'), join(folder, 'identity/dist'), { recursive: true });
  for (const path of dataFiles)
    await cp(join(sources, path.replace('identity/', '')), join(folder, path), { recursive: true });
  const { workspaces } = readPackage(root);
  for (const name of workspaces)
    await remove(join(folder, builtFolders.includes(name) ? `${name}/package.json` : name));
  await remove(join(folder, 'package-lock.json'));
  await remove(sources);
  const description = {
    name: 'anteroom',
    version,
    commit,
    private: true,
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: '>=24' },
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(description, undefined, 2)}\n`);
}

/**
 * Removes the development dependencies from the manifests in the release. `npm sbom --omit=dev` would also omit each
 * package that is a development dependency of any other workspace.
 */
async function removeDevelopmentDependencies(folder: string): Promise<void> {
  for (const path of globSync(['package.json', '*/package.json'], { cwd: folder })) {
    const manifest = JSON.parse(readFileSync(join(folder, path), 'utf8')) as { devDependencies?: object };
    delete manifest.devDependencies;
    await writeFile(join(folder, path), JSON.stringify(manifest));
  }
}

/** The packages of all that is deployed according to npm (CycloneDX 1.5), without values that change between runs. */
async function describePackages(folder: string, name: string, committedAt: Date): Promise<Sbom> {
  await removeDevelopmentDependencies(folder);
  const sbom = JSON.parse(
    await read(
      'npm',
      [
        'sbom',
        '--sbom-format=cyclonedx',
        '--package-lock-only',
        '--workspace=identity',
        '--workspace=web',
        '--workspace=console',
      ],
      { folder },
    ),
  ) as Sbom;
  delete sbom.serialNumber;
  sbom.metadata.timestamp = committedAt.toISOString();
  sbom.metadata.component.name = name;
  sbom.components = sbom.components.filter((component) => !isTypePackage(nameOf(component)));
  const isShipped = (reference: string): boolean => !isTypePackage(reference.replace(/(?<=.)@.*/, ''));
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => isShipped(ref))
    .map(({ ref, dependsOn }) => ({ ref, ...(dependsOn && { dependsOn: dependsOn.filter(isShipped) }) }));
  return sbom;
}

/** The installation folder of a package in the lock file; undefined for another platform. */
function findPackageFolder({ version }: Component, name: string): string | undefined {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  return Object.keys(packages)
    .filter((path) => path.endsWith(`node_modules/${name}`) && packages[path]?.version === version)
    .map((path) => join(root, path))
    .find((path) => existsSync(path));
}

/** Each package with its licence, and the texts of licence and notices if the package contains them. */
function writeNotices({ components }: Sbom): string {
  return components
    .filter((component) => component.group !== '@anteroom' && !component.purl.includes('anteroom'))
    .map((component) => {
      const name = nameOf(component);
      const folder = findPackageFolder(component, name);
      if (!folder) return undefined;
      const { license } = readPackage(folder);
      if (!license) throw new Error(`${name} ${component.version} declares no licence`);
      const texts = readdirSync(folder)
        .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file) && statSync(join(folder, file)).isFile())
        .toSorted()
        .map((file) => readFileSync(join(folder, file), 'utf8').trim());
      return [`${name} ${component.version} (${license})`, ...texts].join('\n\n');
    })
    .filter((notice) => notice !== undefined)
    .join(`\n\n${'-'.repeat(80)}\n\n`)
    .concat('\n');
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Creates the release in the folder `target` and returns the path of its archive. */
async function makeRelease(target: string): Promise<string> {
  const { version } = readPackage(root);
  const name = `anteroom-${version}-${process.platform}-${process.arch}`;
  const folder = join(target, name);
  const archive = `${folder}.tar.gz`;
  const [commit = '', time] = (await read('git', ['log', '-1', '--format=%H %ct'])).trim().split(' ');
  const committedAt = new Date(Number(time) * 1000);

  await remove(folder);
  await mkdir(folder, { recursive: true });
  await buildFrontEndWhenStale();
  await copySources(folder);
  await installDependencies(folder);
  const sbom = await describePackages(folder, `anteroom-${version}`, committedAt);
  await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, undefined, 2)}\n`);
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), writeNotices(sbom));
  await bundle(folder, committedAt);
  await removeSources(folder, { version, commit });

  await read(
    'tar',
    [
      '--create',
      '--sort=name',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u+rwX,go+rX,go-w',
      `--mtime=@${committedAt.getTime() / 1000}`,
      '--use-compress-program=gzip --no-name',
      `--file=${archive}`,
      name,
    ],
    { folder: dirname(folder) },
  );
  await writeFile(join(target, 'SHA256SUMS'), `${sha256(archive)}  ${name}.tar.gz\n`);
  return archive;
}

const target = process.argv[2] ? resolve(process.argv[2]) : join(root, 'release');
try {
  const archive = await makeRelease(target);
  const megabytes = (statSync(archive).size / 1e6).toFixed(0);
  process.stdout.write(`${archive} (${megabytes} MB)\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
