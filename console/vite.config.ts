import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { precompress } from '../web/vite/precompress.ts';

// Test runners set `NODE_ENV`, with which a build would contain React's development version.
if (process.argv.includes('build')) process.env['NODE_ENV'] = 'production';

export default defineConfig(({ command }) => ({
  base: '/console/',
  plugins: [react(), precompress()],
  css: {
    modules: { generateScopedName: command === 'build' ? '[hash:base64:5]' : '[local]-[hash:base64:3]' },
  },
  build: {
    target: 'baseline-widely-available',
    cssTarget: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    // A data: address would need an exception in the content security policy, and so would an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Does not change in most releases, so returning operators have most bytes cached.
          groups: [
            { name: 'libraries', test: /node_modules[\\/](?:react|react-dom|scheduler|react-router)[\\/]/ },
          ],
        },
      },
    },
  },
  test: {
    name: 'console',
    root: import.meta.dirname,
    environment: 'happy-dom',
    // as in `web`
    isolate: false,
    testTimeout: 120_000,
  },
}));
