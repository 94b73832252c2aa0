import type { Seed } from '@yunxun/contract';
import { toFile } from '../src/features/backup/file.ts';
import { newId } from '../src/platform/database/index.ts';
import type { Registered, TestServer } from './server.ts';

const password = 'only-i-know';
let file: Promise<string> | null = null;

export const backupContent = {
  format: 1,
  wireless: {
    country: null,
    ssids: [
      {
        id: newId(),
        enabled: true,
        name: 'Lobby',
        security: 'psk2',
        key: 'welcome-2026',
        bands: ['2G', '5G'],
        vlan: null,
        hidden: false,
        isolate: false,
        maximum_clients: null,
        down_mbps: null,
        up_mbps: null,
      },
    ],
    radios: [],
  },
  gateway: null,
  devices: [],
};

export async function makeBackup(server: TestServer, owner: Registered, gwid: string): Promise<Pick<Seed, 'backup'>> {
  file ??= toFile(JSON.stringify(backupContent), password);
  const given = { file: await file, password };
  const answer = await server.call<{ id: string }>('/api/v3/cloud_backup/upload', { gwid, ...given }, owner);
  if (answer.code !== 2000) throw new Error(`cloud_backup/upload: ${answer.code} ${answer.message}`);
  return { backup: { id: answer.data.id, file: given } };
}
