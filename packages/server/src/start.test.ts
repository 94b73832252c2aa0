import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createEmptyDatabase, testMasterKey } from '../test/database.ts';
import { readConfig } from './platform/config.ts';
import { start } from './start.ts';

it('makes no new master key beside a database that was made with another', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  const { owner, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const dataDir = mkdtempSync(join(tmpdir(), 'yunxun-start-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const keyFile = join(dataDir, 'master.key');
  writeFileSync(keyFile, testMasterKey.toString('base64'));
  const url = new URL(owner.connectionString ?? `postgresql://localhost/${owner.database}`);
  if (!owner.connectionString) {
    url.username = owner.user!;
    url.password = String(owner.password);
    url.searchParams.set('host', owner.host!);
  }
  const config = {
    ...readConfig({ YUNXUN_DATA: dataDir, YUNXUN_DATABASE_URL: url.toString(), YUNXUN_DISK_RESERVE: '0' }),
    httpPort: 0,
    devicePort: 0,
    host: '127.0.0.1',
  };
  await (await start(config)).stop();

  rmSync(keyFile);
  await expect(start(config)).rejects.toThrow(/master\.key is missing, and this database was made with one/);
  expect(existsSync(keyFile)).toBe(false);

  writeFileSync(keyFile, testMasterKey.toString('base64'));
  await (await start(config)).stop();
});
