import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import type { CSSModulesOptions, Plugin } from 'vite';
import { firstForms } from '../../contract/src/first-form.ts';
import { supportedLocales } from '../../contract/src/languages.ts';
import { localeFileVersion } from '../../contract/src/limits.ts';
import { bundleToOneScript } from './inline-boot.ts';

const moduleScript = /<script type="module" crossorigin src="([^"]+)"><\/script>/g;

interface ShellOptions {
  /** Renders a shell (`renderShell`). */
  renderer: string;
  /** The inline script that fills the shells. */
  boot: string;
  /** Styles that only the shells need. */
  styles: string;
}

/**
 * Writes `shells/<locale>-<form>.html`: `index.html` with a rendered form of a first screen in a language, and the
 * styles. A server that embeds the answers of a sign-in in the page can send this file instead of `index.html`; the
 * form is then painted before any script has loaded.
 */
export function shells({ renderer, boot, styles }: ShellOptions): Plugin {
  let root = '';
  let base = '';
  let outDir = '';
  let modules: CSSModulesOptions | false | undefined;
  return {
    name: 'anteroom:shells',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      base = config.base;
      outDir = resolve(root, config.build.outDir);
      modules = config.css.modules;
    },
    async writeBundle() {
      const index = readFileSync(join(outDir, 'index.html'), 'utf8');
      const [, sheetAddress = ''] = /<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/.exec(index) ?? [];
      const sheet = readFileSync(join(outDir, sheetAddress.slice(base.length)), 'utf8').trim();
      const style = `${sheet}${readFileSync(join(root, styles), 'utf8')}`.replaceAll(/\n\s*/g, '');
      const script = await bundleToOneScript(join(root, boot), base);
      const page = index
        .replace(/<script>.*?<\/script>/s, '')
        .replaceAll(/<link rel="stylesheet"[^>]*>/g, '')
        .replaceAll(moduleScript, '')
        .replace('<div id="root"></div>', '')
        .replace('</head>', () => `<style>${style}</style></head>`);
      // Parsing these files takes time, so the inline script loads them after the form.
      const links = [...index.matchAll(moduleScript)].map(
        ([, src = '']) => `<link rel="modulepreload" href="${src}">`,
      );
      const application = `<template data-application="${sheetAddress}">${links.join('')}</template>`;
      const render = await loadRenderer(join(root, renderer), { base, root, modules });
      mkdirSync(join(outDir, 'shells'), { recursive: true });
      for (const locale of supportedLocales) {
        const words: unknown = JSON.parse(
          readFileSync(join(root, 'public/assets/i18n', `${locale}-${localeFileVersion}.json`), 'utf8'),
        );
        for (const form of firstForms) {
          const template = render(form, locale, words);
          const body = `<body><div id="root"></div>${template}${application}<script>${script}</script>`;
          writeFileSync(
            join(outDir, 'shells', `${locale}-${form}.html`),
            page.replace('<body>', () => body),
          );
        }
      }
      Reflect.deleteProperty(globalThis, 'location');
      Reflect.deleteProperty(globalThis, 'document');
    },
  };
}

type Render = (form: string, locale: string, words: unknown) => string;

/** Bundles the renderer with the class names of the build, and loads it. */
async function loadRenderer(
  entry: string,
  { root, base, modules }: { root: string; base: string; modules: CSSModulesOptions | false | undefined },
): Promise<Render> {
  const outDir = join(root, `../node_modules/.cache/anteroom/shells-${process.pid}`);
  await build({
    root,
    base,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    publicDir: false,
    define: { __ANTEROOM_VERSION__: '""' },
    css: { modules: modules || {} },
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'shells.mjs' } },
    },
  });
  // The browser globals that the screens read: the address, which is filled in later, and the element with the
  // language.
  Object.assign(globalThis, {
    location: { origin: 'https://shell.invalid' },
    document: { documentElement: {} },
  });
  const { renderShell } = (await import(pathToFileURL(join(outDir, 'shells.mjs')).href)) as {
    renderShell: Render;
  };
  rmSync(outDir, { recursive: true });
  return renderShell;
}
