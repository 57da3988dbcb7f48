import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describeBuild } from '../../web/serve/describe-build.ts';
import { runCommand } from '../command.ts';
import { buildFrontEndWhenStale, distFolder } from '../front-end.ts';
import { root } from '../root.ts';

type PackageName = 'contract' | 'verify' | 'web';

interface WorkspaceManifest {
  name: string;
  version: string;
  exports?: Record<string, string>;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
}

const readManifest = (folder: string): WorkspaceManifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as WorkspaceManifest;

const writeJson = (file: string, content: unknown): void =>
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);

async function run(command: string, args: readonly string[], folder = root): Promise<string> {
  const { exitCode, output, stdout } = await runCommand(command, args, { folder });
  if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
  return stdout;
}

/** Packs `@anteroom/contract`, `@anteroom/verify` and `@anteroom/web` as npm publishes them. Returns the paths of the tarballs. */
export async function makePackages(target: string): Promise<Record<PackageName, string>> {
  const contract = prepare('contract', target);
  await compile('contract', contract, { exclude: ['**/*.test.ts', '**/openapi*.ts', '**/write-openapi.ts'] });
  await cp(join(root, 'docs/openapi.json'), join(contract, 'openapi.json'));
  const contractTypes = join(contract, 'dist');

  const verify = prepare('verify', target);
  await compile('verify', verify, {
    paths: {
      '@anteroom/contract': [join(contractTypes, 'index.d.ts')],
      '@anteroom/contract/*': [join(contractTypes, '*.d.ts')],
    },
  });

  const web = prepare('web', target);
  await buildFrontEndWhenStale();
  await cp(distFolder, join(web, 'files'), { recursive: true });
  await bundleServer(web);
  await bundle('theme/main.ts', join(web, 'theme.js'));
  writeFileSync(
    join(web, 'THIRD-PARTY-NOTICES.txt'),
    noticesOf(Object.keys(readManifest('web').dependencies ?? {})),
  );

  const { exports: contractExports = {}, ...contractManifest } = readManifest('contract');
  writeManifest(contract, contractManifest, {
    exports: { ...compiled(contractExports), './openapi.json': './openapi.json' },
  });
  const { exports: verifyExports = {}, bin: _bin, ...verifyManifest } = readManifest('verify');
  writeManifest(verify, verifyManifest, {
    exports: compiled(verifyExports),
    bin: { 'anteroom-verify': 'dist/main.js' },
  });
  const { name, version } = readManifest('web');
  writeJson(join(web, 'manifest.json'), describeBuild(join(web, 'files'), version));
  writeManifest(
    web,
    { name, version, dependencies: {} },
    {
      exports: {
        './serve': { types: './serve.d.ts', default: './serve.js' },
        './manifest.json': './manifest.json',
        './files/*': './files/*',
      },
      bin: { 'anteroom-web': 'theme.js' },
    },
  );
  return {
    contract: await pack(contract, target),
    verify: await pack(verify, target),
    web: await pack(web, target),
  };
}

/** Creates an empty folder with the files that every package contains. */
function prepare(name: PackageName, target: string): string {
  const folder = join(target, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [from, to] of [
    ['LICENSE', 'LICENSE'],
    [`${name}/README.md`, 'README.md'],
  ] as const)
    writeFileSync(join(folder, to), readFileSync(join(root, from)));
  return folder;
}

/** The licences of the bundled packages and their dependencies. */
function noticesOf(names: readonly string[], visited = new Set<string>()): string {
  return names
    .filter((name) => !name.startsWith('@anteroom/') && !visited.has(name))
    .map((name) => {
      visited.add(name);
      const folder = join(root, 'node_modules', name);
      const { version, dependencies = {} } = readManifest(join('node_modules', name));
      const [licence] = globSync('{licen[cs]e,LICEN[CS]E}*', { cwd: folder });
      if (licence === undefined) throw new Error(`${name} has no licence file`);
      const text = readFileSync(join(folder, licence), 'utf8').trim();
      return `${name} ${version}\n\n${text}\n\n${noticesOf(Object.keys(dependencies), visited)}`;
    })
    .join('');
}

/** Compiles to JavaScript and declarations in `dist`, because Node does not strip types below `node_modules`. */
async function compile(
  name: PackageName,
  folder: string,
  { exclude = [], paths = {} }: { exclude?: readonly string[]; paths?: Record<string, string[]> },
): Promise<void> {
  const configuration = join(root, name, `tsconfig.package-${process.pid}.json`);
  writeJson(configuration, {
    extends: '../tsconfig.base.json',
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: 'src',
      outDir: join(folder, 'dist'),
      paths,
    },
    include: ['src'],
    exclude,
  });
  try {
    await run('tsc', ['-p', configuration]);
  } finally {
    rmSync(configuration);
  }
}

async function bundle(entry: string, file: string): Promise<void> {
  await run('rolldown', [entry, '--platform', 'node', '--format', 'esm', '--file', file], join(root, 'web'));
}

/** Bundles the parts of the identity service that write the headers and the CSP into one file. */
async function bundleServer(folder: string): Promise<void> {
  await bundle('serve/serve.ts', join(folder, 'serve.js'));
  const types = join(folder, 'types');
  const emit = [
    '--declaration',
    '--emitDeclarationOnly',
    '--noEmit',
    'false',
    '--outDir',
    types,
    '--rootDir',
    root,
  ];
  await run('tsc', ['-p', 'web/tsconfig.serve.json', ...emit]);
  for (const name of ['serve.d.ts', 'manifest.d.ts'])
    await rename(join(types, 'web/serve', name), join(folder, name));
  rmSync(types, { recursive: true });
}

/** Maps `./src/x.ts` in the workspace to `./dist/x.js` in the package. */
function compiled(exports: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(exports).map(([name, source]) => {
      const path = source.replace('./src/', './dist/').replace(/\.ts$/, '');
      return [name, { types: `${path}.d.ts`, default: `${path}.js` }];
    }),
  );
}

function writeManifest(
  folder: string,
  { name, version, dependencies }: WorkspaceManifest,
  more: object,
): void {
  const common = { name, version, type: 'module', license: 'Apache-2.0', engines: { node: '>=22' } };
  writeJson(join(folder, 'package.json'), { ...common, sideEffects: false, ...more, dependencies });
}

async function pack(folder: string, target: string): Promise<string> {
  const printed = await run(
    'npm',
    ['pack', '--json', '--pack-destination', target, '--ignore-scripts'],
    folder,
  );
  const [packed] = Object.values(JSON.parse(printed) as Record<string, { filename: string }>);
  if (!packed) throw new Error(`npm pack printed ${printed}`);
  return join(target, packed.filename);
}
