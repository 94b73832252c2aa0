import type { Database } from '../../../platform/database/index.ts';
import type { DeviceRef } from '../../../uplink/index.ts';
import { fleetDevices } from '../../fleet/index.ts';
import { devicesToPoll } from './contact-store.ts';
import type { ReportRequests } from './report-requests.ts';

const pageSize = 500;
/** The serial decides the minute. */
const everyMinutes = 2;
/** Milliseconds after which a run starts no further page. */
const longestRunMs = 50_000;

/** Polls unconfigured devices, which report every ten minutes only. */
export function createPolling({ database, requests }: { database: Database; requests: Pick<ReportRequests, 'once'> }) {
  let running = false;
  /** Serial at which the next run continues. */
  let cursor = '';

  const isDue = ({ serial }: DeviceRef, minute: number) =>
    (Number.parseInt(serial.slice(-4), 16) || 0) % everyMinutes === minute % everyMinutes;

  async function poll(): Promise<void> {
    const now = Date.now();
    const minute = Math.floor(now / 60_000);
    while (Date.now() - now < longestRunMs) {
      const page = await database.withSystem((tx) => devicesToPoll(tx, cursor, pageSize));
      cursor = page.length < pageSize ? '' : page.at(-1)!.serial;
      const due = page.filter((device) => isDue(device, minute));
      const online = await database.withSystem((tx) => fleetDevices.onlineAmong(tx, due));
      await Promise.allSettled(online.map((device) => requests.once(device, null)));
      if (cursor === '') return;
    }
  }

  return {
    'configuration-fetch-reports': async (): Promise<void> => {
      if (running) return;
      running = true;
      try {
        await poll();
      } finally {
        running = false;
      }
    },
  };
}
