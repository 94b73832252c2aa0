import { randomBytes } from 'node:crypto';
import { type InputOf, remote as contract, type RemoteEndReason } from '@yunxun/contract';
import { asRecord, edgeToolMethod, remoteErrors, replyMeaning, replyText } from '@yunxun/contract/device';
import { type Acting, bySystem } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { tokenHash } from '../../platform/crypto/index.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { InTenant } from '../../platform/http/call.ts';
import type { Log } from '../../platform/log.ts';
import { type DeviceCommands, DeviceError } from '../../uplink/index.ts';
import { accounts } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import type { Messages } from '../messages/index.ts';
import type { SessionEnds } from './ends.ts';
import { targetOf } from './ends.ts';
import { readSettings } from './settings.ts';
import { countOpen } from './store.ts';
import { remoteTables } from './tables.ts';
import { agentAbility, findTarget, kindsOf, obstacle } from './targets.ts';

const { remoteLimits } = contract;

export interface OpeningDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
  devices: Pick<DeviceCommands, 'call'>;
  messages: Pick<Messages, 'post'>;
  ends: SessionEnds;
  /** Where devices connect. */
  server(): { host: string; port: number };
}

interface Opened {
  accountId: string;
  id: string;
  serial: string;
  token: string;
  agent: boolean;
}

export function createOpening({ database, clock, log, devices, messages, ends, server }: OpeningDeps) {
  async function insert(
    tx: Tx,
    acting: Acting,
    input: InputOf<typeof contract.open>,
    ownerId: string | null,
  ): Promise<Opened> {
    const { accountId, userId, actor } = acting;
    // one opening at a time: the counts below hold
    await readSettings(tx, accountId, true);
    const target = await findTarget(tx, accountId, input, clock);
    if (!kindsOf(target).includes(input.kind)) invalid('kind', 'validation.invalid');
    const reason = obstacle(target);
    if (reason === 'offline')
      throw new Failure('deviceOffline', { data: { queue_allowed: false }, params: { action: 'command' } });
    const { device, peripheral } = target;
    if (reason || !device || device.gwid === null) throw new Failure('unsupported', { data: { reason } });
    const { serial, capabilities } = device;
    const used = await countOpen(tx, accountId, serial);
    refuseFull(used.device, remoteLimits.perDevice);
    refuseFull(used.account, remoteLimits.perAccount);
    const now = clock.now();
    const id = newId(now.getTime());
    const token = randomBytes(16).toString('hex');
    const row = {
      serial,
      peripheral_id: peripheral?.id ?? null,
      target: target.name,
      kind: input.kind,
      purpose: input.purpose,
    };
    const gwid = peripheral?.gwid ?? device.gwid;
    await remoteTables(tx)
      .insertInto('remote_session')
      .values({
        ...row,
        account_id: accountId,
        id,
        gwid,
        host: peripheral?.host ?? null,
        port: peripheral?.port ?? null,
        user_id: userId!,
        user_name: actor!.name,
        created_at: now,
        connected_at: null,
        seen_at: null,
        ended_at: null,
        end_reason: null,
        needs_certificate: asRecord(capabilities)['secure-rtty'] === true,
        token_hash: tokenHash(token),
        token_until: new Date(now.getTime() + remoteLimits.token),
        offered_key: null,
      })
      .execute();
    await record(tx, acting, {
      action: 'remote.open',
      object: targetOf(row),
      gwid,
      after: { kind: row.kind, purpose: row.purpose },
      command: true,
    });
    if (ownerId !== null && ownerId !== userId) {
      const params = { person: actor!.name, target: target.name, purpose: row.purpose };
      await messages.post(tx, accountId, {
        template: 'remoteOpened',
        params,
        link: '/remote',
        gwid,
        personId: ownerId,
      });
    }
    return { accountId, id, serial, token, agent: agentAbility(capabilities) !== null };
  }

  /** Ends the session if the device refuses; one that obeys joins the relay. */
  async function send({ accountId, id, serial, token, agent }: Opened): Promise<void> {
    const device = { accountId, serial };
    const asked = { accountId, ids: [id], waiting: true } as const;
    const fail = (reason: RemoteEndReason, detail: string | null) =>
      database.withSystem((tx) => ends.end(tx, bySystem(accountId), asked, reason, { detail }));
    const seconds = Math.round(remoteLimits.hard / 1000);
    const { host, port } = server();
    try {
      const result = agent
        ? await devices.call(
            device,
            edgeToolMethod,
            { tool: 'remote', session: id, token, server: host, port, seconds },
            { timeoutMs: remoteLimits.token },
          )
        : await devices.call(
            device,
            'rtty',
            { id: id.replaceAll('-', ''), token, server: host, port, timeout: seconds, user: 'yunxun' },
            { timeoutMs: remoteLimits.token },
          );
      if (replyMeaning(result) === 'done') return;
      const text = replyText(result).slice(0, 200) || null;
      const { error } = asRecord<{ error: unknown }>(result.status);
      await fail(agent && error === remoteErrors.failed ? 'unreachable' : 'refused', text);
    } catch (error) {
      if (error instanceof DeviceError) await fail('refused', error.message.slice(0, 200));
      else await fail('silent', null);
    }
  }

  return async (acting: Acting, inTenant: InTenant, input: InputOf<typeof contract.open>): Promise<{ id: string }> => {
    const owner = await database.withSystem((tx) => accounts.ownerOf(tx, acting.accountId));
    const opened = await inTenant((tx) => insert(tx, acting, input, owner?.personId ?? null));
    send(opened).catch((error: unknown) => log.warn({ err: error, id: opened.id }, 'remote session not ended'));
    return { id: opened.id };
  };
}

function refuseFull(used: number, limit: number): void {
  if (used >= limit) throw new Failure('limitReached', { data: { limit, used }, params: { limit, used } });
}
