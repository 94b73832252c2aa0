// Builds the console (vite) and bundles the programs (esbuild): our own packages inside, libraries left in node_modules.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build as bundle } from 'esbuild';
import { build as buildWeb } from 'vite';
import { buildEdge } from './build-edge.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

const programs = { server: ['main', 'demo', 'telemetry/ingest/worker'], simulator: ['main'] };
for (const [name, entries] of Object.entries(programs)) {
  const folder = join(root, 'packages', name);
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await bundle({
    entryPoints: entries.map((entry) => join(folder, 'src', `${entry}.ts`)),
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
    define: { YUNXUN_VERSION: JSON.stringify(version) },
    plugins: [{ name: 'libraries-outside', setup: keepLibrariesOutside }],
  });
}

await buildEdge(version);

await buildWeb({ root: join(root, 'packages', 'web'), logLevel: 'warn' });
await compress(join(root, 'packages', 'web', 'dist'));

/** Everything that is neither a path nor one of our packages stays an import. */
function keepLibrariesOutside(builder) {
  builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || path.startsWith('@yunxun/') ? null : { path, external: true },
  );
}

/** Compressed copies beside each text file, so that the server compresses nothing while it serves. */
async function compress(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await compress(path);
    else if (/\.(js|css|html|svg|json)$/.test(entry.name)) {
      const plain = await readFile(path);
      await writeFile(`${path}.gz`, await promisify(gzip)(plain, { level: 9 }));
      await writeFile(
        `${path}.br`,
        await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
      );
    }
  }
}
