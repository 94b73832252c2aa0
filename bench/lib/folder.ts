import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export function makeFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'yunxun-bench-'));
  chmodSync(folder, 0o711);
  return folder;
}

export function removeFolder(folder: string, dataDirs: readonly string[] = [folder]): void {
  for (const dataDir of dataDirs) {
    const note = join(dataDir, 'database-location.txt');
    if (!existsSync(note)) continue;
    const place = readFileSync(note, 'utf8').split('\n')[0]?.trim() ?? '';
    // only a folder that names this data folder as owner
    const back = join(place, 'data-folder');
    if (existsSync(back) && dirname(place) !== place && readFileSync(back, 'utf8').trim() === dataDir)
      rmSync(place, { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}
