import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import product from '../package.json' with { type: 'json' };
import { oneFileFor } from './vite/first-files.ts';
import { firstPaint } from './vite/first-paint.ts';
import { inlineBoot } from './vite/inline-boot.ts';
import { leaveOut } from './vite/leave-out.ts';
import { lightImports } from './vite/light-imports.ts';
import { precompress } from './vite/precompress.ts';
import { splitTexts } from './vite/split-texts.ts';

/** What makes a schema, and does nothing else; the bundler cannot see that by itself. `v` is valibot. */
const schemaMakers = ['v', 'maybe', 'caseless'];

export default defineConfig(({ command }) => ({
  base: '/ui/',
  plugins: [
    react(),
    inlineBoot('src/boot/early.ts'),
    firstPaint(['src/boot/show-app.tsx'], { __branding__: 'src/boot/branding.ts' }),
    lightImports(),
    // 1.3 kB in all (brotli): a caller needs no summary of a call and is held to its input by types; where a row leads to is for the
    // picture of the flow and its tests
    leaveOut('contract', {
      files: /[\\/]contract[\\/]src[\\/]/,
      call: 'defineCall',
      members: ['summary', 'kind', 'params', 'query', 'body'],
    }),
    leaveOut('flow', { files: /[\\/]web[\\/]src[\\/]flow[\\/]steps[\\/]/, call: 'row', members: ['to'] }),
    leaveOut('checks', {
      files: /[\\/]web[\\/]src[\\/]flow[\\/]next-step/,
      call: 'check',
      members: ['name'],
    }),
    // 0.5 kB of the first screen (brotli)
    splitTexts('recovery', 'authenticator', 'account', 'passkey'),
    precompress(),
  ],
  define: { __ANTEROOM_VERSION__: JSON.stringify(product.version) },
  css: {
    modules: { generateScopedName: command === 'build' ? '[hash:base64:4]' : '[local]-[hash:base64:3]' },
  },
  build: {
    target: 'baseline-widely-available',
    // the first browsers with `:dir()` and `color-scheme` in full: for older ones each `:dir()` becomes a list of all right-to-left
    // languages, 0.9 kB of styles in all (brotli)
    cssTarget: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    assetsDir: 'assets/app',
    // a data: address would need an exception in the content policy
    assetsInlineLimit: 0,
    // lazy steps are fetched ahead; the HTML's own preloads come from firstPaint
    modulePreload: false,
    reportCompressedSize: false,
    // 0.9 kB less in the first screen than the built-in minifier (brotli, measured on one build), for two seconds of building
    minify: 'terser',
    terserOptions: { module: true, ecma: 2020, compress: { passes: 4 } },
    rolldownOptions: {
      // a schema that nothing reads is no weight: 0.35 kB of the first screen (brotli)
      treeshake: { manualPureFunctions: [...schemaMakers] },
      output: {
        // 36 bits tell the releases of a file apart; what is left out of the names is 0.1 kB of the first screen (brotli)
        chunkFileNames: 'assets/app/[name]-[hash:6].js',
        entryFileNames: 'assets/app/[name]-[hash:6].js',
        assetFileNames: 'assets/app/[hash:6][extname]',
        codeSplitting: {
          groups: [
            // unchanged from release to release, so a returning visitor has most of the bytes already
            {
              name: 'react',
              test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]|[\\/]boot[\\/]react\.ts$/,
            },
            // the first calls are under way by then, so that nothing is won by a second file
            oneFileFor('app', 'src/main.tsx', 'src/boot/show-app.tsx'),
          ],
        },
      },
    },
  },
  // to load React and a document anew for each file took most of the time
  test: {
    name: 'web',
    root: import.meta.dirname,
    environment: 'node',
    isolate: false,
    // this ends what hangs; a machine that is slow is no fault
    testTimeout: 120_000,
  },
}));
