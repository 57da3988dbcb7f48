import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, rename } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { contractVersion } from '../../contract/src/limits.ts';
import { pageRoutes } from '../../contract/src/page-routes.ts';
import type { Manifest, ManifestFile } from '../../web/serve/manifest.ts';
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

/** Packs `@anteroom/contract`, `@anteroom/verify` and `@anteroom/web` as npm publishes them; answers the tarballs' paths. */
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
  writeJson(join(web, 'manifest.json'), describeBuild(version));
  writeManifest(
    web,
    { name, version, dependencies: {} },
    {
      exports: {
        './serve': { types: './serve.d.ts', default: './serve.js' },
        './manifest.json': './manifest.json',
        './files/*': './files/*',
      },
    },
  );
  return {
    contract: await pack(contract, target),
    verify: await pack(verify, target),
    web: await pack(web, target),
  };
}

/** An empty folder with what every package brings. */
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

/** The licences of the packages that are part of the build, and of those that they depend on. */
function noticesOf(names: readonly string[], told = new Set<string>()): string {
  return names
    .filter((name) => !name.startsWith('@anteroom/') && !told.has(name))
    .map((name) => {
      told.add(name);
      const folder = join(root, 'node_modules', name);
      const { version, dependencies = {} } = readManifest(join('node_modules', name));
      const [licence] = globSync('{licen[cs]e,LICEN[CS]E}*', { cwd: folder });
      if (licence === undefined) throw new Error(`${name} has no file with its licence`);
      const text = readFileSync(join(folder, licence), 'utf8').trim();
      return `${name} ${version}\n\n${text}\n\n${noticesOf(Object.keys(dependencies), told)}`;
    })
    .join('');
}

/** JavaScript and types in `dist`: Node runs TypeScript everywhere but below `node_modules`. */
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

/** One file with the parts of the identity service that write the headers and the content policy. */
async function bundleServer(folder: string): Promise<void> {
  const bundle = ['--platform', 'node', '--format', 'esm', '--file', join(folder, 'serve.js')];
  await run('rolldown', ['serve/serve.ts', ...bundle], join(root, 'web'));
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

/** `./src/x.ts` of the workspace is `./dist/x.js` of the package. */
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

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
};

function describeBuild(version: string): Manifest {
  const names = new Set(
    globSync('**/*', { cwd: distFolder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(distFolder.length + 1)
          .replaceAll('\\', '/'),
      ),
  );
  const files = [...names]
    .filter((path) => !/\.(?:br|gz)$/.test(path))
    .toSorted()
    .map((path): ManifestFile => {
      const content = readFileSync(join(distFolder, path));
      const contentType = contentTypes[extname(path)];
      if (contentType === undefined) throw new Error(`The content type of ${path} is not known.`);
      return {
        path,
        contentType,
        bytes: content.length,
        integrity: `sha256-${createHash('sha256').update(content).digest('base64')}`,
        encodings: [
          ...(names.has(`${path}.br`) ? (['br'] as const) : []),
          ...(names.has(`${path}.gz`) ? (['gzip'] as const) : []),
        ],
        isImmutable: path.startsWith('assets/app/'),
      };
    });
  return { version, contractVersion, routes: pageRoutes, files };
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
