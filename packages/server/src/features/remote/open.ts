import { randomBytes } from 'node:crypto';
import { remote as contract, type InputOf } from '@yunxun/contract';
import { asRecord } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { tokenHash } from '../../platform/crypto/index.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { InTenant } from '../../platform/http/call.ts';
import type { Log } from '../../platform/log.ts';
import { accounts } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import type { Messages } from '../messages/index.ts';
import { askDevice, type DeviceRequest, type DeviceRequestDeps } from './device-request.ts';
import { targetOf } from './ends.ts';
import { isTerminal } from './recordings/kinds.ts';
import { readSettings } from './settings.ts';
import { countOpen } from './store.ts';
import { remoteTables } from './tables.ts';
import { agentAbility, findTarget, kindsOf, obstacle } from './targets.ts';

const { remoteLimits } = contract;

export interface OpeningDeps extends DeviceRequestDeps {
  clock: Clock;
  log: Log;
  messages: Pick<Messages, 'post'>;
  /** Whether this installation has a remote host. */
  hasWeb: boolean;
}

/** A technician who opens a link. */
export interface Guest {
  linkId: string;
  name: string;
  pageHash: Buffer;
  /** In the transaction that writes the session. */
  use(tx: Tx, sessionId: string): Promise<void>;
}

export type Opening = ReturnType<typeof createOpening>;

export function createOpening(deps: OpeningDeps) {
  const { database, clock, log, messages, hasWeb } = deps;
  async function insert(
    tx: Tx,
    acting: Acting,
    input: InputOf<typeof contract.open>,
    ownerId: string | null,
    guest: Guest | null,
  ): Promise<DeviceRequest> {
    const { accountId, userId, actor } = acting;
    // one opening at a time: the counts below hold
    const { record: isRecorded } = await readSettings(tx, accountId, true);
    const target = await findTarget(tx, accountId, input, clock);
    if (!kindsOf(target).includes(input.kind)) invalid('kind', 'validation.invalid');
    const reason = obstacle(target, input.kind, hasWeb);
    if (reason === 'offline')
      throw new Failure('deviceOffline', { data: { queue_allowed: false }, params: { action: 'command' } });
    const { device, peripheral } = target;
    if (reason || !device || device.gwid === null) throw new Failure('unsupported', { data: { reason } });
    const { serial, capabilities } = device;
    const used = await countOpen(tx, accountId, serial, clock.now());
    const agent = agentAbility(capabilities) !== null;
    // a second command ends the rtty that an access point runs
    refuseFull(used.device, agent ? remoteLimits.perDevice : 1);
    refuseFull(used.account, remoteLimits.perAccount);
    const now = clock.now();
    const id = newId(now.getTime());
    await guest?.use(tx, id);
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
        port: peripheral?.ports[input.kind] ?? null,
        user_id: userId!,
        user_name: actor!.name,
        created_at: now,
        connected_at: null,
        seen_at: null,
        ended_at: null,
        end_reason: null,
        end_detail: null,
        needs_certificate: agent || asRecord(capabilities)['secure-rtty'] === true,
        token_hash: tokenHash(token),
        token_until: new Date(now.getTime() + remoteLimits.token),
        offered_key: null,
        link_id: guest?.linkId ?? null,
        guest: guest?.name ?? null,
        user_account_id: actor!.homeAccountId,
        page_hash: guest?.pageHash ?? null,
        recording: isRecorded && isTerminal(input.kind) ? 'kept' : 'off',
      })
      .execute();
    await record(tx, acting, {
      action: 'remote.open',
      object: targetOf(row),
      gwid,
      after: { kind: row.kind, purpose: row.purpose, ...(guest ? { guest: guest.name } : {}) },
      command: true,
    });
    const params = { person: actor!.name, target: target.name, purpose: row.purpose };
    const more = { link: '/remote', gwid, personId: ownerId ?? '' };
    if (ownerId !== null && guest) {
      const withGuest = { ...params, guest: guest.name };
      await messages.post(tx, accountId, { template: 'remoteLinkOpened', params: withGuest, ...more });
    } else if (ownerId !== null && ownerId !== userId) {
      await messages.post(tx, accountId, { template: 'remoteOpened', params, ...more });
    }
    return { accountId, id, serial, token, agent };
  }

  return async (
    acting: Acting,
    inTenant: InTenant,
    input: InputOf<typeof contract.open>,
    guest: Guest | null = null,
  ): Promise<{ id: string }> => {
    const owner = await database.withSystem((tx) => accounts.ownerOf(tx, acting.accountId));
    const opened = await inTenant((tx) => insert(tx, acting, input, owner?.personId ?? null, guest));
    askDevice(deps, opened).catch((error: unknown) =>
      log.warn({ err: error, id: opened.id }, 'remote session not ended'),
    );
    return { id: opened.id };
  };
}

function refuseFull(used: number, limit: number): void {
  if (used >= limit) throw new Failure('limitReached', { data: { limit, used }, params: { limit, used } });
}
