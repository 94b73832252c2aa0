import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { Seed } from '@yunxun/contract';
import { recordedEvent } from '@yunxun/contract/remote-recording';
import { sql } from 'kysely';
import { writePart } from '../src/features/remote/recordings/store.ts';
import { createAccountKeys } from '../src/platform/crypto/account-keys.ts';
import { createSealer, tokenHash } from '../src/platform/crypto/index.ts';
import { newId } from '../src/platform/database/index.ts';
import { newSerial } from './new-serial.ts';
import type { Registered, TestServer } from './server.ts';

export async function allowRemote(server: TestServer, accountId: string): Promise<void> {
  await server.db.database.systemPool.query(
    'insert into remote_setting (account_id, enabled, version) values ($1, true, 2) on conflict do nothing',
    [accountId],
  );
}

/** Allows remote access, and makes an access point that is asked for a terminal but opens none. */
export async function makeRemote(server: TestServer, owner: Registered): Promise<Pick<Seed, 'remote'>> {
  const { systemPool } = server.db.database;
  const { accountId, userId } = owner;
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Reachable' }, owner);
  const serial = newSerial();
  await systemPool.query(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, model, platform, firmware, capabilities, bound_at, first_seen, last_seen, online, online_since)
     values (true, $1, $2, $3, 'ap', 'AP-Remote', 'Test AP', 'ap', 'TIP-test', '{"platform": "ap"}', now(), now(), now(), true, now())`,
    [accountId, serial, data.gwid],
  );
  server.program.bus.respond(`dev.${accountId}.${serial}.rpc`, async () => ({ serial, uuid: 1, status: { error: 0 } }));
  await allowRemote(server, accountId);
  const fingerprint = `SHA256:${'A'.repeat(43)}`;
  const session = async (endedAt: Date | null, kind = 'ssh') => {
    const id = newId();
    await systemPool.query(
      `insert into remote_session (account_id, id, gwid, serial, host, port, target, kind, purpose, user_id, user_name,
         created_at, connected_at, seen_at, ended_at, end_reason, needs_certificate, token_until, offered_key)
       values ($1, $2, $3, $4, '192.168.1.20', 22, 'Front-Camera', $9, 'Check the logs', $5, 'owner',
         now(), now(), now(), $6, $7, false, now(), $8)`,
      [accountId, id, data.gwid, newSerial(), userId, endedAt, endedAt && 'host_key', fingerprint, kind],
    );
    return id;
  };
  const [sessionId, openId] = [await session(new Date()), await session(null)];
  const webId = await session(null, 'web');
  const recordedId = await session(new Date());
  const keys = createAccountKeys(createSealer(server.db.masterKey));
  const deflated = deflateRawSync(recordedEvent({ at: 0, output: Buffer.from('login: ') }));
  await server.db.database.withSystem(async (tx) => {
    await sql`update remote_session set recording = 'kept' where id = ${recordedId}`.execute(tx);
    await writePart(tx, keys, { accountId, id: recordedId }, { part: 0, deflated, isCut: false });
  });
  const linkId = newId();
  const linkSecret = randomBytes(16).toString('base64url');
  await systemPool.query(
    `insert into remote_link (account_id, id, gwid, serial, target, kind, guest, purpose, user_id, user_account_id,
       user_name, created_at, until, secret_hash)
     values ($1, $2, $3, $4, 'AP-Remote', 'shell', 'Li Wei', 'Check the logs', $5, $1, 'owner', now(),
       now() + interval '1 hour', $6)`,
    [accountId, linkId, data.gwid, serial, userId, tokenHash(linkSecret)],
  );
  return { remote: { serial, sessionId, openId, webId, fingerprint, version: 2, linkId, linkSecret, recordedId } };
}
