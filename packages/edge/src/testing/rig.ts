import { type ClientChange, type ClientOptions, DeviceClient } from '../client.ts';
import { ConfigurationStore } from '../configuration-store.ts';
import { enrol, type Identity } from '../enrol.ts';
import { accessPointFirmware } from '../firmware.ts';
import { ManualClock } from '../manual-clock.ts';
import { PlainSystem } from './plain-system.ts';
import { TestConsole, type TestConsoleOptions } from './test-console.ts';
import type { TestSession } from './test-session.ts';

export interface Rig {
  console: TestConsole;
  clock: ManualClock;
  identity: Identity;
  system: PlainSystem;
  store: ConfigurationStore;
  client: DeviceClient;
  changes: ClientChange[];
  connected(): Promise<TestSession>;
  stop(): Promise<void>;
}

export const testStart = Date.UTC(2026, 10, 20, 2);

export async function startRig(options: Partial<ClientOptions> = {}, server: TestConsoleOptions = {}): Promise<Rig> {
  const serial = '53494d000001';
  const testConsole = await TestConsole.start(server);
  const clock = new ManualClock(testStart);
  const identity = await enrol({ consoleUrl: testConsole.url, bindingCode: 'CODE', serial });
  const system = new PlainSystem(serial);
  const store = new ConfigurationStore({ uuid: 1 }, null);
  const changes: ClientChange[] = [];
  const client = new DeviceClient({
    identity,
    system,
    store,
    firmware: accessPointFirmware,
    clock,
    random: () => 0.5,
    observer: (change) => changes.push(change),
    ...options,
  });
  return {
    console: testConsole,
    clock,
    identity,
    system,
    store,
    client,
    changes,
    async connected() {
      const opened = testConsole.session();
      await client.start('coldboot');
      const session = await opened;
      await session.message('connect');
      return session;
    },
    async stop() {
      client.stop('lost');
      await testConsole.stop();
    },
  };
}

export async function settled(look: () => unknown): Promise<void> {
  while (!look()) {
    await new Promise((turn) => setImmediate(turn));
  }
}
