// Bundles the edge agent, its launcher and service files into packages/edge/dist.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'packages', 'edge');

export async function buildEdge(version, out = join(folder, 'dist')) {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const common = { bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' };
  await build({
    ...common,
    entryPoints: [join(folder, 'src', 'agent', 'main.ts')],
    outfile: join(out, 'yunxun-edge.mjs'),
    minify: true,
    legalComments: 'none',
    // optional accelerators of ws
    external: ['bufferutil', 'utf-8-validate'],
    define: { YUNXUN_VERSION: JSON.stringify(version) },
    // ws is CommonJS and needs `require` for Node's modules
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  });
  const files = { ...(await texts()), version: `${version}\n` };
  for (const [name, text] of Object.entries(files)) await writeFile(join(out, name), text);
  for (const name of ['launch', 'yunxun-edge.init']) await chmod(join(out, name), 0o755);
}

async function texts() {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from './launcher.ts'; export * from './service-files.ts';",
      resolveDir: join(folder, 'src', 'agent'),
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  const code = Buffer.from(outputFiles[0].text).toString('base64');
  const { launcherScript, serviceFiles } = await import(`data:text/javascript;base64,${code}`);
  return { launch: launcherScript, ...serviceFiles };
}

// run as a program: builds into the given or the default folder
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await buildEdge(version, process.argv[2]);
}
