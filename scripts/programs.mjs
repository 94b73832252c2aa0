// Bundles the programs with esbuild: workspace packages inside, libraries outside.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = {
  server: ['main', 'demo', 'demo/past-worker', 'telemetry/ingest/worker', 'features/portal-templates/picture-worker'],
  simulator: ['main'],
};

/** Builds all programs into their `dist` folders. */
export async function buildPrograms() {
  for (const name of Object.keys(programs)) {
    await rm(join(root, 'packages', name, 'dist'), { recursive: true, force: true });
    await build(await optionsOf(name));
  }
}

/** Builds the server, and again after each change; calls `onBuilt` after each build without errors. */
export async function watchPrograms(onBuilt) {
  const options = await optionsOf('server');
  const restart = {
    name: 'restart',
    setup: (builder) => builder.onEnd(({ errors }) => errors.length === 0 && onBuilt()),
  };
  const watched = await context({ ...options, plugins: [...options.plugins, restart] });
  await watched.watch();
  return watched;
}

async function optionsOf(name) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const folder = join(root, 'packages', name);
  return {
    entryPoints: programs[name].map((entry) => join(folder, 'src', `${entry}.ts`)),
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
  };
}

/** Marks everything but paths and workspace packages as external. */
function keepLibrariesOutside(builder) {
  builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || path.startsWith('@yunxun/') ? null : { path, external: true },
  );
}
