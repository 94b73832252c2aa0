import { isIP } from 'node:net';
import type { fleet as contract, DataOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/database/index.ts';
import { joinLatest, latestTime } from '../../telemetry/read.ts';
import { recentRefusals } from '../../uplink/index.ts';
import { recentConnections, recentEnrolments } from '../../uplink/recent.ts';

/** How devices reach this installation. */
export interface DeviceServer {
  host: string;
  port: number;
  certificateNames: readonly string[];
  /** The console's public address. */
  publicUrl: string;
}

/** Rows of each kind that the guide shows. */
const shown = 10;

/** What is known of devices that are on their way to an account, and what stopped them. */
export async function onboarding(
  tx: Tx,
  database: Database,
  server: DeviceServer,
  accountId: string,
  callerAddress: string,
): Promise<DataOf<typeof contract.onboarding>> {
  const enrolments = await recentEnrolments(tx, accountId, shown);
  const connections = await recentConnections(tx, accountId, [...new Set(enrolments.map((row) => row.serial))]);
  const places = await placesOf(
    tx,
    accountId,
    connections.map((row) => row.serial),
  );
  // a device that was refused without a name is most likely the caller's when it comes from where its person or its devices are
  const addresses = new Set([callerAddress, ...enrolments.flatMap((row) => row.address ?? [])]);
  const refusals = await recentRefusals(database, accountId, [...addresses], shown);
  return {
    server: {
      host: server.host,
      port: server.port,
      certificate_names: [...server.certificateNames],
      name_matches: server.certificateNames.some((name) => covers(name, server.host)),
      local_only: isLocal(server.host),
      enroll_url: `${server.publicUrl}/enroll.sh`,
    },
    enrolments: enrolments.map((row) => ({
      serial: row.serial,
      at: row.at.toISOString(),
      ip: row.address,
      model: row.model,
    })),
    connections: connections.map((row) => ({
      serial: row.serial,
      at: row.at.toISOString(),
      ip: row.address,
      online: row.online,
      reported_at: places.get(row.serial)?.reported_at?.toISOString() ?? null,
      gwid: places.get(row.serial)?.gwid ?? null,
    })),
    refusals: refusals.map((row) => ({
      at: row.at.toISOString(),
      reason: row.reason,
      serial: row.serial,
      ip: row.address,
      detail: row.detail,
    })),
  };
}

interface Place {
  serial: string;
  gwid: string | null;
  reported_at: Date | null;
}

/** Where devices are, and when each last reported. */
async function placesOf(tx: Tx, accountId: string, serials: readonly string[]): Promise<Map<string, Place>> {
  const { rows } = await sql<Place>`
    select d.serial, d.gwid, ${latestTime} as reported_at from device d ${joinLatest('d')}
    where d.account_id = ${accountId} and d.serial = any(${[...serials]}::text[])
  `.execute(tx);
  return new Map(rows.map((row) => [row.serial, row]));
}

/** As the access-point client matches: exactly, or any depth below a wildcard (device-protocol.md section 0, 9). */
function covers(name: string, host: string): boolean {
  const [wanted, given] = [host.toLowerCase(), name.toLowerCase()];
  return given === wanted || (given.startsWith('*.') && wanted.endsWith(given.slice(1)));
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
