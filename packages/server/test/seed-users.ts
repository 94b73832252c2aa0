import type { Seed } from '@yunxun/contract';
import type { Registered, TestServer } from './server.ts';

let stations = 0;

export function newMac(): string {
  stations += 1;
  return `903cb3${stations.toString(16).padStart(6, '0')}`;
}

export async function makeStations(
  server: TestServer,
  { accountId }: Pick<Registered, 'accountId'>,
  device: Seed['device'],
): Promise<Pick<Seed, 'station' | 'blockedStation'>> {
  const { systemPool } = server.db.database;
  const [mac, blocked] = [newMac(), newMac()];
  await systemPool.query(
    `insert into station (account_id, mac, first_seen, last_seen, random_mac, hostname) values ($1, $2, now(), now(), false, 'test-phone')`,
    [accountId, mac],
  );
  await systemPool.query(
    `insert into station_open (account_id, serial, mac, bssid, gwid, ssid, band, started_at, last_at, rssi)
     values ($1, $2, $3, $4, $5, 'Guests', 5, now(), now(), -61)`,
    [accountId, device.serial, mac, device.serial, device.gwid],
  );
  await systemPool.query(
    `insert into station_mark (account_id, mac, list, listed_at, listed_by, updated_at, updated_by)
     values ($1, $2, 'blocked', now(), 'test', now(), 'test')`,
    [accountId, blocked],
  );
  return { station: { mac }, blockedStation: { mac: blocked } };
}
