import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Below this a compressed answer fits the same packet, and the header costs what the compression saves. */
const worthwhileBytes = 200;

/**
 * Writes `.br` (quality 11) and `.gz` (level 9) beside every text file of the build, so that a server only picks one and never
 * compresses while a visitor waits. Locale files are written without their indentation first: people read the source, not this.
 */
export function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'anteroom:precompress',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      // after every other plugin has written its files
      order: 'post',
      sequential: true,
      async handler() {
        const files = globSync('**/*.{html,js,css,json,svg,txt,webmanifest}', { cwd: outDir });
        await Promise.all(files.map(async (file) => compressBeside(join(outDir, file))));
      },
    },
  };
}

async function compressBeside(path: string): Promise<void> {
  const source = await readFile(path);
  const content = path.endsWith('.json')
    ? Buffer.from(JSON.stringify(JSON.parse(source.toString())))
    : source;
  if (content.length < source.length) await writeFile(path, content);
  if (content.length < worthwhileBytes) return;
  const [brotli, zipped] = await Promise.all([
    compressBrotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    compressGzip(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, zipped)]);
}
