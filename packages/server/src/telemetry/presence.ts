import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/index.ts';
import type { DeviceRef } from '../uplink/ports.ts';
import type { LinkStore } from '../uplink/session-context.ts';
import { writeHeartbeat } from './heartbeat.ts';

/** Left open by a dead process. */
export interface LostLink extends DeviceRef {
  epoch: number;
  node: string;
  lastFrameAt: Date;
}

export interface PresenceStore extends LinkStore {
  nodes(): Promise<string[]>;
  /** Closes and returns a process's sessions. */
  closeNode(node: string): Promise<LostLink[]>;
  /** Runs at start, every minute and at the end. */
  heartbeat(node: string, at: Date): Promise<void>;
}

export function createPresenceStore(database: Database): PresenceStore {
  const db: Kysely<unknown> = database.system;
  return {
    async open(device, { node, address, peer, at }) {
      // one statement checks certificate and binding, counts the session and revokes replaced certificates
      const { rows } = await sql<{ epoch: number }>`
        with bound as (
          update serial_directory set first_connected_at = coalesce(first_connected_at, ${at})
          where serial = ${device.serial} and account_id = ${device.accountId}
          returning account_id, serial
        ), certificate as (
          insert into device_certificate (account_id, fingerprint, serial, ours, issued_at, expires_at, address)
          select account_id, ${peer.fingerprint}, serial, false, ${at}, ${peer.notAfter}, ${address} from bound where not ${peer.ours}::boolean
          on conflict (account_id, fingerprint) do nothing
        ), replaced as (
          update device_certificate c set revoked_at = ${at}, revoked_reason = 'renewed'
          from bound join device_certificate mine on mine.account_id = bound.account_id
          where mine.fingerprint = ${peer.fingerprint} and mine.ours and mine.revoked_at is null
            and c.account_id = bound.account_id and c.serial = bound.serial and c.ours
            and c.issued_at < mine.issued_at and c.revoked_at is null
        )
        insert into device_link (account_id, serial, epoch, node, address, connected_since, disconnected_at, last_frame_at)
        select account_id, serial, 1, ${node}, ${address}, ${at}, null, ${at} from bound
        where not exists (
          select from device_certificate c
          where c.account_id = bound.account_id and c.fingerprint = ${peer.fingerprint} and c.revoked_at is not null)
        on conflict (account_id, serial) do update
          set epoch = device_link.epoch + 1, node = excluded.node, address = excluded.address,
              connected_since = excluded.connected_since, disconnected_at = null, last_frame_at = excluded.last_frame_at
        returning epoch
      `.execute(db);
      return rows[0] ?? null;
    },

    async close({ accountId, serial }, epoch, at, lastFrameAt) {
      const { numAffectedRows } = await sql`
        update device_link set connected_since = null, disconnected_at = ${at}, last_frame_at = ${lastFrameAt}
        where account_id = ${accountId} and serial = ${serial} and epoch = ${epoch} and connected_since is not null
      `.execute(db);
      return numAffectedRows === 1n;
    },

    async touch(sessions) {
      if (sessions.length === 0) return;
      // key order prevents deadlocks
      const ordered = sessions.toSorted((a, b) => (a.accountId + a.serial < b.accountId + b.serial ? -1 : 1));
      const column = <K extends keyof (typeof ordered)[number]>(key: K) => ordered.map((session) => session[key]);
      await sql`
        update device_link set last_frame_at = s.at
        from unnest(${column('accountId')}::uuid[], ${column('serial')}::text[], ${column('epoch')}::bigint[], ${column('at')}::timestamptz[])
          as s (account_id, serial, epoch, at)
        where device_link.account_id = s.account_id and device_link.serial = s.serial and device_link.epoch = s.epoch
          and device_link.last_frame_at < s.at
      `.execute(db);
    },

    async nodes() {
      const { rows } = await sql<{ node: string }>`
        select distinct node from device_link where connected_since is not null
      `.execute(db);
      return rows.map(({ node }) => node);
    },

    async closeNode(node) {
      const { rows } = await sql<LostLink>`
        update device_link set connected_since = null, disconnected_at = last_frame_at
        where node = ${node} and connected_since is not null
        returning account_id as "accountId", serial, epoch, node, last_frame_at as "lastFrameAt"
      `.execute(db);
      return rows;
    },

    heartbeat: (node, at) => writeHeartbeat(db, node, at),
  };
}
