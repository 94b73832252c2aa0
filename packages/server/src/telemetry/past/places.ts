import type { Report } from '../extract/index.ts';
import type { Behind } from '../extract/stations.ts';
import { sessionKey } from '../ingest/associations.ts';
import { type Asked, deniesAfter } from '../ingest/client-places.ts';
import type { Ended } from '../ingest/client-session.ts';
import type { Device } from '../ingest/devices.ts';
import { nearestOf } from '../ingest/port-ownership.ts';

export interface Equipment {
  owners: ReadonlyMap<string, string>;
  switches: ReadonlySet<string>;
}

/**
 * Looks in the devices of a site for clients on ports to own devices, by the rules of ingest's look in the database. That
 * look asks for devices of all processes at once; here a day of a site is in memory, which is what makes days quick.
 */
export function createPlaces({ owners, switches }: Equipment) {
  const devices = new Map<string, { device: Device; latest: Report | null }>();
  const leftAt = new Map<string, number>();

  function onAir(): Set<string> {
    const macs = new Set<string>();
    for (const { device } of devices.values())
      for (const { mac, band } of device.presence.open.values()) if (band > 0) macs.add(mac);
    return macs;
  }

  function portOf(serial: string, mac: string): string | null {
    const macs = switches.has(serial) ? (devices.get(serial)?.latest?.links?.macs ?? {}) : {};
    const found = Object.entries(macs).find(
      ([, there]) => there.includes(mac) && !there.some((one) => owners.has(one)),
    );
    return found?.[0] ?? null;
  }

  function behindOf({ observation: { mac }, since, near }: Asked, air: ReadonlySet<string>): Behind | null {
    const serials = [...near.serials];
    for (const serial of serials) {
      const port = portOf(serial, mac);
      if (port !== null) return { serial, port };
    }
    const isBehind =
      air.has(mac) ||
      (leftAt.get(mac) ?? 0) >= +since ||
      serials.some((serial) => {
        const { device, latest } = devices.get(serial) ?? { device: null, latest: null };
        if (!device?.known || device.known.at < +since + deniesAfter * 1000 || latest?.summary.clientsTotal === null)
          return true;
        return device.presence.open.get(sessionKey(mac, ''))?.behind === null;
      });
    return isBehind ? nearestOf(near) : null;
  }

  return {
    look(asked: readonly Asked[]): void {
      if (asked.length === 0) return;
      const air = onAir();
      for (const one of asked) one.observation.behind = behindOf(one, air);
    },
    note(device: Device, report: Report | null): void {
      const latest = report ?? devices.get(device.serial)?.latest ?? null;
      devices.set(device.serial, { device, latest });
    },
    left({ session, endedAt }: Ended): void {
      if (session.band > 0) leftAt.set(session.mac, endedAt);
    },
  };
}
