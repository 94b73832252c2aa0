import type { Clock } from '../src/platform/clock.ts';
import { makePartitions } from '../src/telemetry/partitions.ts';
import { insertSamples, quiet, type Sample } from '../src/telemetry/testing/samples.ts';
import { newSerial } from './new-serial.ts';
import type { Registered, TestServer } from './server.ts';

/** Writes committed telemetry of an account directly. */
export interface Telemetry {
  network(remark: string): Promise<string>;
  device(gwid: string, what: DeviceFacts): Promise<string>;
  reports(...rows: (Pick<Sample, 'serial' | 'gwid' | 'at'> & Partial<Sample>)[]): Promise<void>;
  user(mac: string, what: UserFacts): Promise<void>;
  /** Band 0: wired. */
  present(
    mac: string,
    at: { serial: string; gwid: string; band: 0 | 2 | 5 | 6; authenticated?: boolean },
  ): Promise<void>;
  visited(mac: string, visit: Visit): Promise<void>;
}

export interface DeviceFacts {
  kind: 'ap' | 'switch' | 'gateway';
  online: boolean;
  gateway?: boolean;
  terminals?: number;
  model?: string;
  capabilities?: Record<string, unknown>;
}

export interface UserFacts {
  firstSeen: Date;
  lastSeen: Date;
  randomMac?: boolean;
  type?: string;
  brand?: string;
}

export interface Visit {
  day: string;
  gwid: string;
  seconds: number;
  /** Hours of the account's clock. */
  hours: readonly number[];
  isNew?: boolean;
  authenticated?: boolean;
}

const day = 86_400_000;

/** Creates partitions for 45 days. */
export async function makeTelemetry(server: TestServer, owner: Registered, clock: Clock): Promise<Telemetry> {
  const now = clock.now();
  const { accountId } = owner;
  await makePartitions(server.db.database, new Date(now.getTime() - 45 * day), new Date(now.getTime() + 2 * day));
  const run = (text: string, values: unknown[]) => server.db.database.systemPool.query(text, values);

  return {
    async network(remark) {
      const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner);
      return data.gwid;
    },

    async device(gwid, { kind, online, gateway, terminals, model, capabilities }) {
      const serial = newSerial();
      await run(
        'insert into serial_directory (serial, account_id, enrolled_at, first_connected_at) values ($1, $2, $3, $3)',
        [serial, accountId, now],
      );
      await run(
        `insert into device (confirmed, account_id, serial, gwid, kind, remark, model, capabilities, bound_at, first_seen, last_seen, online, online_since, offline_since)
         values (true, $1, $2, $3, $4, $2, $8, $5, $6, $6, $6, $7, case when $7 then $6::timestamptz end, case when not $7 then $6::timestamptz end)`,
        [accountId, serial, gwid, kind, JSON.stringify(capabilities ?? {}), now, online, model ?? null],
      );
      await run(
        `insert into device_link (account_id, serial, epoch, node, connected_since, disconnected_at, last_frame_at)
         values ($1, $2, 1, gen_random_uuid(), case when $4 then $3::timestamptz end, case when not $4 then $3::timestamptz end, $3)`,
        [accountId, serial, now, online],
      );
      if (terminals !== undefined) {
        await run('insert into device_latest (account_id, serial, at, clients_total) values ($1, $2, $3, $4)', [
          accountId,
          serial,
          now,
          terminals,
        ]);
      }
      if (gateway) {
        await run('update network set gateway_serial = $3 where account_id = $1 and gwid = $2', [
          accountId,
          gwid,
          serial,
        ]);
        await run(
          `insert into device_counters (account_id, serial, at, counters, measures) values ($1, $2, $3, '{}', true)`,
          [accountId, serial, now],
        );
      }
      return serial;
    },

    async reports(...rows) {
      const { rows: places } = await run('select serial, way_out from device_place where account_id = $1', [accountId]);
      const wayOut = new Map(places.map(({ serial, way_out }) => [serial, way_out]));
      const samples = rows.map((row) => ({ ...quiet, account_id: accountId, ...row }));
      await insertSamples(
        server.db.database,
        samples.map((row) => ({ ...row, house_wan: wayOut.get(row.serial) ? row.wan_down + row.wan_up : 0 })),
      );
    },

    async user(mac, { firstSeen, lastSeen, randomMac, type, brand }) {
      await run(
        `insert into station (account_id, mac, first_seen, last_seen, random_mac, terminal_type, brand) values ($1, $2, $3, $4, $5, $6, $7)`,
        [accountId, mac, firstSeen, lastSeen, randomMac ?? false, type ?? null, brand ?? null],
      );
    },

    async present(mac, { serial, gwid, band, authenticated = false }) {
      await run(
        `insert into station_open (account_id, serial, mac, bssid, gwid, band, authenticated, started_at, last_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
        [accountId, serial, mac, band === 0 ? '' : `${serial}-${band}`, gwid, band, authenticated, now],
      );
    },

    async visited(mac, { day: date, gwid, seconds, hours, isNew = false, authenticated = false }) {
      const bits = hours.reduce((sum, hour) => sum | (1 << hour), 0);
      await run(
        `insert into station_day (account_id, day, gwid, mac, first_at, last_at, seconds, hours, down, up, sessions, is_new, authenticated, wireless)
         values ($1, $2, $3, $4, $5, $5, $6, $7, 0, 0, 1, $8, $9, true)`,
        [accountId, date, gwid, mac, now, seconds, bits, isNew, authenticated],
      );
    },
  };
}
