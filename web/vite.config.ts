import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import product from '../package.json' with { type: 'json' };
import { shortClassNames } from './vite/class-names.ts';
import { languageTable } from './vite/language-table.ts';
import { oneFileFor } from './vite/first-files.ts';
import { firstPaint } from './vite/first-paint.ts';
import { inlineBoot } from './vite/inline-boot.ts';
import { leaveOut } from './vite/leave-out.ts';
import { lightImports } from './vite/light-imports.ts';
import { precompress } from './vite/precompress.ts';
import { shells } from './vite/shells.ts';
import { splitTexts } from './vite/split-texts.ts';

/** Functions that only build a schema. The bundler cannot detect that they have no side effects. `v` is valibot. */
const schemaMakers = ['v', 'maybe', 'caseless', 'codeSchema', 'credentialWith'];

/** The modules whose files the inline script preloads, by the placeholder of their addresses in it. */
const addressed = {
  __branding__: ['src/boot/branding.ts'],
  __account__: ['src/boot/start-standalone.ts', 'src/boot/start-account.tsx'],
  __passkey__: ['src/boot/start-standalone.ts', 'src/boot/start-passkey.tsx'],
  __recovery__: ['src/boot/start-standalone.ts', 'src/boot/start-recovery.tsx'],
  __sites__: ['src/boot/site-list-effects.ts', 'src/screens/select-site/SelectSiteScreen.tsx'],
};

// Test runners set `NODE_ENV`, with which a build would contain React's development version.
if (process.argv.includes('build')) process.env['NODE_ENV'] = 'production';

export default defineConfig(({ command }) => ({
  base: '/ui/',
  // What each plugin of our own saves: docs/decisions/085-what-each-build-plugin-saves.md
  plugins: [
    react(),
    inlineBoot('src/boot/early.ts'),
    firstPaint(addressed),
    lightImports(),
    languageTable(),
    // Callers do not read the summary of a call, and types check their input; the target pages of a row are for the
    // diagram of the flow and for tests.
    leaveOut('contract', {
      files: /[\\/]contract[\\/]src[\\/]/,
      call: 'defineCall',
      members: ['summary', 'kind', 'params', 'query', 'body', 'background', 'password'],
    }),
    // The messages of schemas with what they name, which the front end does not show, and what only asynchronous schemas
    // need.
    leaveOut('valibot', {
      files: /node_modules[\\/]valibot[\\/]/,
      call: '_standardSchema',
      members: ['reference', 'async', 'expects', 'message'],
    }),
    leaveOut('flow', { files: /[\\/]web[\\/]src[\\/]flow[\\/]steps[\\/]/, call: 'row', members: ['to'] }),
    leaveOut('checks', {
      files: /[\\/]web[\\/]src[\\/]flow[\\/]next-step/,
      call: 'check',
      members: ['name'],
    }),
    splitTexts(),
    shells({
      renderer: 'src/boot/render-shells.tsx',
      boot: 'src/boot/early-with-shell.ts',
      styles: 'src/boot/shell.css',
    }),
    precompress(),
  ],
  define: {
    __ANTEROOM_VERSION__: JSON.stringify(product.version),
    // Saves 0.3 kB of React (brotli). The built page does not need React's developer tools, and only Node has
    // `setImmediate`.
    ...(command === 'build' && { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined', setImmediate: 'undefined' }),
  },
  css: {
    modules: {
      generateScopedName:
        command === 'build' ? shortClassNames(import.meta.dirname) : '[local]-[hash:base64:3]',
    },
  },
  build: {
    target: 'baseline-widely-available',
    // The first browsers with full support for `:dir()` and `color-scheme`. For older ones each `:dir()` would become a
    // list of all right-to-left languages: 0.9 kB of styles in all (brotli).
    cssTarget: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    assetsDir: 'assets/app',
    // A data: address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    // The steps prefetch their chunks themselves, and the HTML names the first files.
    modulePreload: false,
    reportCompressedSize: false,
    // Saves 0.9 kB of the first screen compared to the built-in minifier (brotli, measured on one build); the build
    // takes two seconds longer.
    minify: 'terser',
    // Parentheses around a function make V8 compile it when it first parses the script. React's modules are such
    // functions: evaluating React takes 16 ms of processor time instead of 26, for 0.1 kB (brotli).
    terserOptions: {
      module: true,
      ecma: 2020,
      safari10: false,
      // Without inlined functions and swapped comparisons, the code is longer but compresses better: 0.12 kB (brotli).
      compress: { passes: 6, unsafe_arrows: true, inline: 1, lhs_constants: false },
      format: { wrap_func_args: true },
    },
    rolldownOptions: {
      // Drops unused schemas: saves 0.35 kB of the first screen (brotli).
      treeshake: { manualPureFunctions: [...schemaMakers] },
      output: {
        // 36 bits distinguish the releases of a file. Shorter names save 0.1 kB of the first screen (brotli).
        chunkFileNames: 'assets/app/[name]-[hash:6].js',
        entryFileNames: 'assets/app/[name]-[hash:6].js',
        assetFileNames: 'assets/app/[hash:6][extname]',
        codeSplitting: {
          groups: [
            // Does not change in most releases, so returning visitors have most bytes cached.
            {
              name: 'react',
              test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]|[\\/]boot[\\/]react\.ts$/,
            },
            // The first calls have been sent by then, so a second file would not load faster.
            oneFileFor('app', 'src/main.tsx', /[\\/]contract[\\/]src[\\/]typed-text\.ts$/),
            // Without this group, each set of later screens that share a module would have a file for it. A part that is
            // also loaded on demand would add the bundler's runtime to the first screen.
            {
              name: 'shared',
              test: /[\\/]src[\\/](?!.*factor-parts)/,
              minShareCount: 2,
              maxModuleSize: 2500,
            },
          ],
        },
      },
    },
  },
  // Loading React and a document for each test file took most of the time.
  test: {
    name: 'web',
    root: import.meta.dirname,
    environment: 'node',
    isolate: false,
    // A limit for tests that hang; slow machines need a long one.
    testTimeout: 120_000,
  },
}));
