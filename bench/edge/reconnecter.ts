import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DeviceClient } from '../../packages/edge/src/client.ts';
import type { Clock } from '../../packages/edge/src/clock.ts';
import { ConfigurationStore } from '../../packages/edge/src/configuration-store.ts';
import type { Identity } from '../../packages/edge/src/enrol.ts';
import { agentFirmware } from '../../packages/edge/src/firmware.ts';
import { PlainSystem } from '../../packages/edge/src/testing/plain-system.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const speed = 500;
const clock: Clock = {
  now: () => Date.now(),
  after(delay, run) {
    const timer = setTimeout(run, delay / speed);
    return () => clearTimeout(timer);
  },
};

process.on('message', (order: { start: Identity } | { look: true }) => {
  if ('start' in order) void start(order.start);
  else look();
});

async function start(identity: Identity): Promise<void> {
  const system = new PlainSystem(identity.serial);
  system.stateBytes = 4000;
  const metrics = {
    statistics: { interval: 60, types: [] },
    health: { interval: 60 },
    realtime: { types: ['client'] },
  };
  const store = new ConfigurationStore({ uuid: 1, metrics }, null);
  const client = new DeviceClient({
    identity,
    system,
    store,
    clock,
    firmware: agentFirmware,
    random: Math.random,
    observer({ change }) {
      if (change === 'offline')
        for (let event = 0; event < 5; event += 1) system.listener?.event(1, 'client.join', { event });
    },
  });
  await client.start('coldboot');
}

/** Runs in a later turn, once the last session is released. */
function look(): void {
  setTimeout(() => {
    for (let round = 0; round < 3; round += 1) collect();
    const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
    const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const files = readdirSync('/proc/self/fd').length;
    process.send?.({ heap: heapUsed, external: external + arrayBuffers, resident: rss, files, timers });
  }, 50);
}
