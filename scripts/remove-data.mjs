// npm run remove-data -- <data folder>: deletes a data folder whole, with a database that lies elsewhere (as root).
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const [given] = process.argv.slice(2);
if (!given) stop('Name the data folder: npm run remove-data -- ./data');
const folder = resolve(given);
if (!existsSync(join(folder, 'master.key'))) stop(`${folder} is no data folder of Yunxun: it holds no master.key.`);

const note = join(folder, 'database-location.txt');
const elsewhere = existsSync(note) ? (readFileSync(note, 'utf8').split('\n')[0] ?? '').trim() : null;
for (const cluster of [join(folder, 'postgres', 'cluster'), ...(elsewhere ? [join(elsewhere, 'cluster')] : [])]) {
  if (isRunning(cluster)) stop(`A database still runs in ${cluster}. Stop Yunxun first.`);
}
// only a folder that names this data folder as its owner
const back = elsewhere === null ? null : join(elsewhere, 'data-folder');
if (back !== null && existsSync(back) && dirname(elsewhere) !== elsewhere) {
  if (readFileSync(back, 'utf8').trim() === folder) remove(elsewhere);
}
remove(folder);

function isRunning(cluster) {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return false;
  try {
    process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 0);
    return true;
  } catch (error) {
    // another user's process runs too; no process: the server was killed
    return error.code === 'EPERM';
  }
}

function remove(place) {
  rmSync(place, { recursive: true, force: true });
  console.log(`Removed ${place}`);
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
