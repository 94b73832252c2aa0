// Builds the web app (vite) and bundles the programs (esbuild): workspace packages inside, libraries external.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build as buildWeb } from 'vite';
import { buildEdge } from './build-edge.mjs';
import { buildPrograms } from './programs.mjs';
import { showing } from './progress.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

const web = join(root, 'packages', 'web');
await showing('Building the programs', () => buildPrograms());
await showing('Building the gateway agent', () => buildEdge(version));
// the configuration reads catalogues of the contract, which the bundler of configurations leaves to Node
const options = { root: web, logLevel: 'warn', configLoader: 'runner' };
await showing('Building the web app', () => buildWeb(options));
await showing('Compressing the web app', () => compress(join(web, 'dist')));

/** Writes compressed copies, so that the server compresses nothing. */
async function compress(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await compress(path);
    else if (/\.(js|css|html|svg|json|bin)$/.test(entry.name)) {
      const plain = await readFile(path);
      await writeFile(`${path}.gz`, await promisify(gzip)(plain, { level: 9 }));
      await writeFile(
        `${path}.br`,
        await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
      );
    }
  }
}
