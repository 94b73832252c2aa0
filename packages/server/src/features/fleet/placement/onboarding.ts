import { isIP } from 'node:net';
import type { fleet as contract, DataOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { joinLatest, latestTime } from '../../../telemetry/read.ts';
import { recentRefusals } from '../../../uplink/index.ts';
import { recentConnections, recentEnrolments } from '../../../uplink/recent-contacts.ts';
import { coversName } from '../../../uplink/server-name.ts';

export interface DeviceServer {
  host: string;
  port: number;
  certificateNames: readonly string[];
  publicUrl: string;
}

const shown = 10;

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
  // unnamed refusals from these addresses are likely theirs
  const addresses = new Set([callerAddress, ...enrolments.flatMap((row) => row.address ?? [])]);
  const refusals = await recentRefusals(database, accountId, [...addresses], shown);
  return {
    server: {
      host: server.host,
      port: server.port,
      certificate_names: [...server.certificateNames],
      name_matches: coversName(server.certificateNames, server.host),
      local_only: isLocal(server.host),
      enroll_url: `${server.publicUrl}/enroll.sh`,
    },
    ...(await connectedSoFar(tx, accountId)),
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
      sni: row.sni,
      host: row.host,
    })),
  };
}

async function connectedSoFar(tx: Tx, accountId: string): Promise<{ online: number; last_seen_at: string | null }> {
  const { rows } = await sql<{ online: number; seen: Date | null }>`
    select count(*) filter (where online)::int as online, max(last_seen) filter (where first_seen is not null) as seen
    from device where account_id = ${accountId}
  `.execute(tx);
  const { online = 0, seen = null } = rows[0] ?? {};
  return { online, last_seen_at: seen?.toISOString() ?? null };
}

interface Place {
  serial: string;
  gwid: string | null;
  reported_at: Date | null;
}

async function placesOf(tx: Tx, accountId: string, serials: readonly string[]): Promise<Map<string, Place>> {
  const { rows } = await sql<Place>`
    select d.serial, d.gwid, ${latestTime} as reported_at from device d ${joinLatest('d')}
    where d.account_id = ${accountId} and d.serial = any(${[...serials]}::text[])
  `.execute(tx);
  return new Map(rows.map((row) => [row.serial, row]));
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
