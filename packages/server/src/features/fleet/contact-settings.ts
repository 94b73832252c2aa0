import type { fleetBatch as contract, DataOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { record } from '../logs/index.ts';
import { devicesOf, findNetwork, lockNetwork, type NetworkRecord } from './device-store.ts';
import { announce, announceDevices } from './live.ts';
import { accountRule } from './placement/join-rule.ts';
import { fleet } from './tables.ts';

type Shown = DataOf<typeof contract.contactGet>;
type Settings = Omit<Shown, 'account_rule'>;

/** @throws Failure notFound */
export async function readContactSettings(tx: Tx, accountId: string, gwid: string): Promise<Shown> {
  const network = await findNetwork(tx, accountId, gwid);
  if (!network) throw new Failure('notFound');
  const account_rule = await accountRule(tx, accountId);
  return { ...contactOf(network), account_rule };
}

/** Schedules a reconcile of the network's devices. @throws Failure notFound */
export async function saveContactSettings(
  tx: Tx,
  bus: Bus,
  acting: Acting,
  gwid: string,
  changed: Partial<Settings>,
): Promise<void> {
  const { accountId } = acting;
  const network = await lockNetwork(tx, accountId, gwid);
  if (!network) throw new Failure('notFound');
  const before = contactOf(network);
  const after: Settings = { ...before, ...changed };
  await fleet(tx)
    .updateTable('network')
    .set(after)
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .execute();
  await record(tx, acting, {
    action: 'network.first_contact',
    object: { type: 'network', id: gwid, name: network.remark },
    gwid,
    before: { ...before },
    after: { ...after },
    inverse: { path: '/api/v3/network/first_contact/save', input: { gwid, ...before } },
  });
  announce(tx, bus, accountId, { type: 'network.changed', gwid });
  await announceDevices(
    tx,
    bus,
    accountId,
    (await devicesOf(tx, accountId, [gwid])).map(({ serial }) => ({ serial, gwid })),
  );
}

function contactOf({ left_alone, bridge_lan, join_rule }: NetworkRecord): Settings {
  return { left_alone, bridge_lan, join_rule };
}
