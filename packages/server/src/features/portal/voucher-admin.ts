import type { portal as contract, DataOf, InputOf } from '@yunxun/contract';
import { neededLength } from '@yunxun/contract/voucher-codes';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { makeCodes, typedCode } from '../../platform/crypto/codes.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { record } from '../logs/index.ts';
import type { PortalSecrets } from './secrets.ts';
import { findSite } from './site-store.ts';
import { countValid, findBatch, insertBatch, voidVouchers } from './voucher-store.ts';

type Contract = typeof contract;

export function createVoucherAdmin({ clock, secrets }: { clock: Clock; secrets: PortalSecrets }) {
  return {
    /** @throws Failure notFound without a portal; Invalid for codes that are too short for their number */
    async create(
      tx: Tx,
      acting: Acting,
      input: InputOf<Contract['batchCreate']>,
    ): Promise<DataOf<Contract['batchCreate']>> {
      const { accountId } = acting;
      const { gwid, name, count, minutes, devices, valid_days: days, characters, length } = input;
      if (!(await findSite(tx, accountId, gwid))) throw new Failure('notFound');
      const now = clock.now();
      const min = neededLength(characters, count + (await countValid(tx, accountId, gwid, now)));
      if (length < min) invalid('length', 'portal.codes_too_short', { min });
      const id = newId(now.getTime());
      const codes = makeCodes(count, characters, length);
      const hashes = codes.map((code) => secrets.hash(accountId, 'voucher', code));
      const valid_until = new Date(now.getTime() + days * 86_400_000);
      const created_by = acting.actor?.name ?? acting.source;
      const batch = {
        account_id: accountId,
        id,
        gwid,
        name,
        minutes,
        devices,
        valid_until,
        created_at: now,
        created_by,
      };
      // a code must not belong to two batches
      const inserted = await insertBatch(tx, batch, hashes);
      if (inserted < count) invalid('length', 'portal.codes_too_short', { min: length + 1 });
      await record(tx, acting, {
        action: 'voucher_batch.create',
        object: { type: 'voucher_batch', id, name },
        gwid,
        after: { name, count, minutes, devices, valid_until: valid_until.toISOString() },
      });
      return { id, codes, valid_until: valid_until.toISOString() };
    },

    count: async (tx: Tx, accountId: string, gwid: string): Promise<DataOf<Contract['voucherCount']>> => ({
      valid: await countValid(tx, accountId, gwid, clock.now()),
    }),

    /** @throws Failure notFound; Invalid for a code of another batch */
    async void(tx: Tx, acting: Acting, { gwid, id, code }: InputOf<Contract['batchVoid']>) {
      const { accountId } = acting;
      const batch = await findBatch(tx, accountId, gwid, id);
      if (!batch) throw new Failure('notFound');
      const hash = code === undefined ? null : secrets.hash(accountId, 'voucher', typedCode(code));
      const voided = await voidVouchers(tx, accountId, id, hash, clock.now());
      if (hash && voided === 0) invalid('code', 'portal.no_such_code');
      await record(tx, acting, {
        action: 'voucher_batch.void',
        object: { type: 'voucher_batch', id, name: batch.name },
        gwid,
        after: { voided },
      });
      return { voided };
    },
  };
}
