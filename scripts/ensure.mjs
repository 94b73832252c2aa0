// Installs and builds only after changes. Needs only Node and npm. `ensure.mjs packages` only installs.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { showing } from './progress.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Yunxun needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

const installStamp = join(root, 'node_modules', '.yunxun-installed');
const lock = readFileSync(join(root, 'package-lock.json'));
const wanted = createHash('sha256').update(lock).update(`${process.platform} ${process.arch} ${major}`).digest('hex');
if (read(installStamp) !== wanted) {
  const places = Object.keys(JSON.parse(lock).packages).filter((place) => place.startsWith('node_modules/'));
  const there = () => `${places.filter((place) => existsSync(join(root, place))).length} of ${places.length}`;
  const npm = () => run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']);
  await showing('Installing packages', npm, there);
  writeFileSync(installStamp, wanted);
}

const buildStamp = join(root, '.build', 'stamp');
const sources = process.argv[2] === 'packages' ? null : sourceHash();
const outputs = ['packages/server/dist/main.js', 'packages/web/dist/index.html'];
if (sources !== null && (read(buildStamp) !== sources || !outputs.every((file) => existsSync(join(root, file))))) {
  await run(process.execPath, [join(root, 'scripts', 'build.mjs')]);
  mkdirSync(join(root, '.build'), { recursive: true });
  writeFileSync(buildStamp, sources);
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** Ends this program with the status of one that failed. */
function run(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: '' } });
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${command} cannot be run: ${error.message}`);
      process.exit(1);
    });
    child.once('exit', (status) => (status === 0 ? resolve() : process.exit(status ?? 1)));
  });
}

/** Hashes names, sizes and times of the build's inputs. */
function sourceHash() {
  const hash = createHash('sha256').update(wanted);
  const visit = (path) => {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (['node_modules', 'dist', 'test'].includes(entry.name) || entry.name.endsWith('.test.ts')) continue;
      const inner = join(path, entry.name);
      if (entry.isDirectory()) visit(inner);
      else {
        const { size, mtimeMs } = statSync(inner);
        hash.update(`${inner} ${size} ${mtimeMs}\n`);
      }
    }
  };
  visit(join(root, 'packages'));
  for (const file of ['scripts/build.mjs', 'scripts/build-edge.mjs', 'scripts/programs.mjs', 'package.json']) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}
