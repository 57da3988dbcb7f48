import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../root.ts';

/** A source file that the linter must reject or accept. */
interface BorderCase {
  file: string;
  source: string;
  /** Part of the linter's expected message; absent for a file that must be accepted. */
  refusal?: RegExp;
}

const use = (specifier: string): string =>
  `import { thing } from '${specifier}';\nexport const other = thing;\n`;

const refused: Record<string, BorderCase> = {
  'the management API knows no feature but admin': {
    file: 'identity/src/manage/planted.ts',
    source: use('../passwords/passwords.ts'),
    refusal: /a face of admin/,
  },
  'the contract imports no other package of the project': {
    file: 'contract/src/planted.ts',
    source: use('@anteroom/identity/app'),
    refusal: /belongs to neither side/,
  },
  'the demo portal imports no other package of the project': {
    file: 'boards-demo/src/planted.ts',
    source: use('@anteroom/contract'),
    refusal: /over OpenID Connect only/,
  },
  'the front end does not import the identity service': {
    file: 'web/src/planted.ts',
    source: use('@anteroom/identity/app'),
    refusal: /contract alone/,
  },
  'the front end does not reach into another package by path': {
    file: 'web/src/planted-by-path.ts',
    source: use('../../identity/src/app.ts'),
    refusal: /contract alone/,
  },
  'the rules of the wire contract do not import a service': {
    file: 'verify/src/planted.ts',
    source: use('@anteroom/identity/app'),
    refusal: /know the contract alone/,
  },
  'the rules of the wire contract do not import a driver': {
    file: 'verify/src/rules/planted.ts',
    source: use('../../drivers/real-service.ts'),
    refusal: /know the contract alone/,
  },
  'flow does not import api': {
    file: 'web/src/flow/planted-api.ts',
    source: use('../api/client.ts'),
    refusal: /core without React/,
  },
  'flow does not import React': {
    file: 'web/src/flow/planted-react.ts',
    source: use('react'),
    refusal: /core without React/,
  },
  'flow does not import screens': {
    file: 'web/src/flow/planted-screens.ts',
    source: use('../screens/error/Screen.tsx'),
    refusal: /core without React/,
  },
  'api does not import screens': {
    file: 'web/src/api/planted.ts',
    source: use('../screens/error/Screen.tsx'),
    refusal: /knows no screen/,
  },
  'i18n does not import ui': {
    file: 'web/src/i18n/planted.ts',
    source: use('../ui/Card.tsx'),
    refusal: /below every feature/,
  },
  'ui does not import flow': {
    file: 'web/src/ui/planted.tsx',
    source: use('../flow/store.ts'),
    refusal: /know no feature/,
  },
  'ui does not import screens': {
    file: 'web/src/ui/planted-screens.tsx',
    source: use('../screens/error/Screen.tsx'),
    refusal: /know no feature/,
  },
  'a screen does not import another screen': {
    file: 'web/src/screens/credentials/planted.tsx',
    source: use('../error/Screen.tsx'),
    refusal: /do not import each other/,
  },
  'a screen does not import another screen from a folder of its own': {
    file: 'web/src/screens/credentials/parts/planted.tsx',
    source: use('../../error/Screen.tsx'),
    refusal: /do not import each other/,
  },
  'a screen does not import higher layers': {
    file: 'web/src/screens/credentials/planted-up.tsx',
    source: use('../../main.tsx'),
    refusal: /nothing above it/,
  },
  'the console does not import the service': {
    file: 'console/src/planted.ts',
    source: use('../../identity/src/app.ts'),
    refusal: /only types of the service/,
  },
  'the console does not import screens of the front end': {
    file: 'console/src/planted-web.ts',
    source: use('../../web/src/ui/button/Button.tsx'),
    refusal: /client of the management API/,
  },
  'the front end does not import the console': {
    file: 'web/src/planted-console.ts',
    source: use('../../console/src/api.ts'),
    refusal: /contract alone/,
  },
  'the service does not import the console': {
    file: 'identity/src/planted-console-page.ts',
    source: use('../../console/src/paths.ts'),
    refusal: /contract alone/,
  },
  'a screen of the console does not import another screen': {
    file: 'console/src/screens/home/planted.tsx',
    source: use('../user/User.tsx'),
    refusal: /do not import each other/,
  },
  'a building block of the console does not import a screen': {
    file: 'console/src/ui/button/planted.tsx',
    source: use('../../screens/user/User.tsx'),
    refusal: /know no screen/,
  },
  'a feature of the service does not import another': {
    file: 'identity/src/limits/planted.ts',
    source: use('../sites/sites-store.ts'),
    refusal: /Features do not import each other/,
  },
  'a feature of the service does not import the application': {
    file: 'identity/src/sites/planted.ts',
    source: use('../app.ts'),
    refusal: /Features do not import each other/,
  },
  'a feature does not import another from a folder of its own': {
    file: 'identity/src/sites/logos/planted.ts',
    source: use('../../limits/limits.ts'),
    refusal: /Features do not import each other/,
  },
  'store does not import the application': {
    file: 'identity/src/store/planted-app.ts',
    source: use('../app.ts'),
    refusal: /nothing imports upwards/,
  },
  'http does not import a feature': {
    file: 'identity/src/http/planted.ts',
    source: use('../sites/sites-store.ts'),
    refusal: /nothing imports upwards/,
  },
  'store does not import a feature': {
    file: 'identity/src/store/planted.ts',
    source: use('../limits/limits.ts'),
    refusal: /nothing imports upwards/,
  },
  'texts does not import a feature': {
    file: 'identity/src/texts/planted.ts',
    source: use('../messages/messages.ts'),
    refusal: /nothing imports upwards/,
  },
  'lib imports nothing else of the service': {
    file: 'identity/src/lib/planted.ts',
    source: use('../store/database.ts'),
    refusal: /lowest layer/,
  },
  'the service does not import the test kit': {
    file: 'identity/src/planted.ts',
    source: use('@anteroom/testkit'),
    refusal: /contract alone/,
  },
  'two files do not import each other': {
    file: 'identity/src/lib/planted-a.ts',
    source: `import { b } from './planted-b.ts';\nexport const a = (): unknown => b;\n`,
    refusal: /no-cycle/,
  },
  'nothing exports a default': {
    file: 'web/src/flow/planted-default.ts',
    source: 'export default 1;\n',
    refusal: /no-default-export/,
  },
  'the front end has no inline style': {
    file: 'web/src/ui/planted-style.tsx',
    source: 'export const Red = () => <p style={{ color: "red" }}>red</p>;\n',
    refusal: /forbid-dom-props/,
  },
  'the service does not write to the console': {
    file: 'identity/src/planted-console.ts',
    source: `console.log('here');\n`,
    refusal: /no-console/,
  },
  'any is rejected': {
    file: 'contract/src/planted-any.ts',
    source: 'export const loose: any = 1;\n',
    refusal: /no-explicit-any/,
  },
  'a promise must be awaited': {
    file: 'identity/src/planted-promise.ts',
    source:
      'const later = async (): Promise<void> => Promise.resolve();\nexport function start(): void {\n  later();\n}\n',
    refusal: /no-floating-promises/,
  },
};

const allowed: Record<string, BorderCase> = {
  'a screen imports flow, api, i18n, ui and the addresses': {
    file: 'web/src/screens/version/planted.tsx',
    source: ['flow/store.ts', 'api/client.ts', 'i18n/t.ts', 'ui/Card.tsx', 'paths.ts']
      .map(
        (path, index) =>
          `import { a as a${index} } from '../../${path}';\nexport const b${index} = a${index};\n`,
      )
      .join(''),
  },
  'the console imports the translator of the front end, and types of the service': {
    file: 'console/src/planted-allowed.ts',
    source: `${use('../../web/src/i18n/translator.ts')}export type { Me } from '../../identity/src/manage/answers.ts';\n`,
  },
  'sign-in brings features together': {
    file: 'identity/src/sign-in/planted.ts',
    source: use('../sites/sites-store.ts'),
  },
  'a migration imports the schema beside it': {
    file: 'identity/src/store/migrations/planted.ts',
    source: use('../schema.ts'),
  },
  'a feature imports http, store, lib, texts and the configuration': {
    file: 'identity/src/sites/planted-down.ts',
    source: ['http/errors.ts', 'store/database.ts', 'lib/clock.ts', 'texts/catalogue.ts', 'config/config.ts']
      .map(
        (path, index) =>
          `import { a as a${index} } from '../${path}';\nexport const b${index} = a${index};\n`,
      )
      .join(''),
  },
};

const everything = { ...refused, ...allowed };

describe('the linter enforces the borders between layers', () => {
  const projectCopy = mkdtempSync(join(tmpdir(), 'anteroom-borders-'));
  /** The linter's messages by file. */
  const messagesByFile = new Map<string, string>();

  beforeAll(async () => {
    const copies = ['.oxlintrc.json', 'tsconfig.base.json', 'package.json'];
    for (const name of ['contract', 'web', 'console', 'identity', 'boards-demo', 'verify'])
      copies.push(`${name}/package.json`, `${name}/tsconfig.json`);
    for (const name of copies) {
      mkdirSync(dirname(join(projectCopy, name)), { recursive: true });
      cpSync(join(root, name), join(projectCopy, name));
    }
    symlinkSync(join(root, 'node_modules'), join(projectCopy, 'node_modules'), 'junction');
    writeFileIn(
      projectCopy,
      'identity/src/lib/planted-b.ts',
      `import { a } from './planted-a.ts';\nexport const b = a;\n`,
    );
    for (const { file, source } of Object.values(everything)) writeFileIn(projectCopy, file, source);
    for (const { filename, text } of await lint(projectCopy))
      messagesByFile.set(filename, `${messagesByFile.get(filename) ?? ''}${text}\n`);
  }, 60_000);

  afterAll(() => rmSync(projectCopy, { recursive: true, force: true }));

  test.each(Object.entries(refused))('%s', (_, { file, refusal }) => {
    expect(messagesByFile.get(file)).toMatch(refusal ?? /./);
  });

  test.each(Object.entries(allowed))('%s', (_, { file }) => {
    // ignores other messages: the imported files do not exist here, so types are unknown
    expect(messagesByFile.get(file) ?? '').not.toMatch(/no-restricted-imports/);
  });
});

function writeFileIn(projectCopy: string, file: string, source: string): void {
  const path = join(projectCopy, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, source);
}

interface Diagnostic {
  filename: string;
  text: string;
}

/** Lints a copy of the project with its own configuration. */
async function lint(projectCopy: string): Promise<Diagnostic[]> {
  const stdout = await new Promise<string>((resolve) => {
    execFile(
      join(root, 'node_modules', '.bin', 'oxlint'),
      ['--format', 'json'],
      { cwd: projectCopy, maxBuffer: 1 << 26 },
      // the linter exits with code 1, because it reports the rejected files
      (_, output) => resolve(output),
    );
  });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { filename: string; code?: string; message: string; help?: string }[];
  };
  return diagnostics.map(({ filename, code, message, help }) => ({
    filename: filename.replaceAll('\\', '/'),
    text: `${code ?? ''} ${message} ${help ?? ''}`,
  }));
}
