import { join } from 'node:path';
import { isRecord } from '@yunxun/contract/device';
import { readJson, writeDurably } from '../apply/durable.ts';
import { ConfigurationStore, type StoreContents } from '../configuration-store.ts';

const unconfigured = {
  uuid: 1,
  metrics: {
    statistics: { interval: 60, types: ['clients'] },
    health: { interval: 120 },
    realtime: { types: ['client', 'wired', 'health', 'unit'] },
  },
};

/** An unreadable file counts as none. */
export function openStore(stateFolder: string): ConfigurationStore {
  const file = join(stateFolder, 'store.json');
  return new ConfigurationStore(unconfigured, readStore(readJson(file)), (contents) =>
    writeDurably(file, JSON.stringify(contents)),
  );
}

function readStore(value: unknown): StoreContents | null {
  if (!isRecord(value) || !isRecord(value.active) || !Array.isArray(value.stored)) return null;
  return value as unknown as StoreContents;
}
