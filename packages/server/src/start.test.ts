import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createEmptyDatabase, testMasterKey } from '../test/database.ts';
import { ConfigError, readConfig } from './platform/config.ts';
import { checkPorts } from './platform/ports.ts';
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

it('names every taken port with its setting, before it makes anything', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'yunxun-start-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const taken = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    }),
  );
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  const [http, device, portal] = taken.map(String);
  const env = { YUNXUN_DATA: dataDir, YUNXUN_HOST: '127.0.0.1', YUNXUN_HTTP_PORT: http, YUNXUN_DEVICE_PORT: device };
  const all = {
    ...env,
    YUNXUN_PORTAL_PORT: portal,
    YUNXUN_RADIUS_AUTH_PORT: String(port),
    YUNXUN_RADIUS_ACCT_PORT: '0',
  };
  const error = await start(readConfig(all)).catch((reason: Error) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as Error).message.split('\n')).toEqual([
    expect.stringMatching(`Port ${http} is taken .* YUNXUN_HTTP_PORT`),
    expect.stringMatching(`Port ${device} is taken .* YUNXUN_DEVICE_PORT`),
    expect.stringMatching(`Port ${portal} is taken .* YUNXUN_PORTAL_PORT`),
    expect.stringMatching(`Port ${port} is taken .* YUNXUN_RADIUS_AUTH_PORT`),
  ]);
  expect(readdirSync(dataDir)).toEqual([]);
});

it('starts without RADIUS or remote access on a taken default port, and names that setting', async () => {
  const config = {
    ...readConfig({ YUNXUN_HOST: '127.0.0.1' }),
    httpPort: 0,
    devicePort: 0,
    portalPort: 0,
    remotePort: 0,
    radiusAcctPort: null,
  };
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  expect(await checkPorts({ ...config, radiusAuthPort: { port, isChosen: false } })).toEqual([
    expect.stringMatching(`Port ${port} is taken .* YUNXUN_RADIUS_AUTH_PORT\\. Until then RADIUS`),
  ]);
  expect(await checkPorts({ ...config, radiusAuthPort: null })).toEqual([]);
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port: remotePort } = taken.address() as AddressInfo;
  expect(await checkPorts({ ...config, radiusAuthPort: null, remotePort })).toEqual([
    expect.stringMatching(`Port ${remotePort} is taken .* YUNXUN_REMOTE_PORT\\. Until then there is no remote access`),
  ]);
});
