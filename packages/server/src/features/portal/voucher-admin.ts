import type { portal as contract, DataOf, InputOf } from '@yunxun/contract';
import { neededLength } from '@yunxun/contract/voucher-codes';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { makeCodes, typedCode } from '../../platform/crypto/codes.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { record } from '../logs/index.ts';
import type { PortalSecrets } from './secrets.ts';
import { findSite } from './site-store.ts';
import { countValid, findBatch, insertBatch, voidVouchers, vouchersOf } from './voucher-store.ts';

type Contract = typeof contract;

export interface VoucherAdminDeps {
  clock: Clock;
  keys: AccountKeys;
  secrets: PortalSecrets;
}

const contextOf = (hash: Buffer) => `portal voucher ${hash.toString('hex')}`;

export function createVoucherAdmin({ clock, keys, secrets }: VoucherAdminDeps) {
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
      const sealer = await keys.of(tx, accountId);
      const vouchers = codes.map((code) => {
        const hash = secrets.hash(accountId, 'voucher', code);
        return { hash, sealed: sealer.seal(code, contextOf(hash)) };
      });
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
      const inserted = await insertBatch(tx, batch, vouchers);
      if (inserted < count) invalid('length', 'portal.codes_too_short', { min: length + 1 });
      await record(tx, acting, {
        action: 'voucher_batch.create',
        object: { type: 'voucher_batch', id, name },
        gwid,
        after: { name, count, minutes, devices, valid_until: valid_until.toISOString() },
      });
      return { id, codes, valid_until: valid_until.toISOString() };
    },

    /** @throws Failure notFound; Invalid if the codes were not kept */
    async reveal(
      tx: Tx,
      acting: Acting,
      { gwid, id }: InputOf<Contract['batchReveal']>,
    ): Promise<DataOf<Contract['batchReveal']>> {
      const { accountId } = acting;
      const batch = await findBatch(tx, accountId, gwid, id);
      if (!batch) throw new Failure('notFound');
      const rows = await vouchersOf(tx, accountId, id);
      const sealer = await keys.of(tx, accountId);
      const vouchers = rows.flatMap(({ code_hash: hash, code_sealed: sealed, first_used_at: used }) =>
        sealed ? [{ code: sealer.open(sealed, contextOf(hash)).toString(), used: used !== null }] : [],
      );
      if (rows.length > 0 && vouchers.length === 0) invalid('id', 'portal.codes_not_kept');
      await record(tx, acting, {
        action: 'voucher_batch.reveal',
        object: { type: 'voucher_batch', id, name: batch.name },
        gwid,
        after: { count: vouchers.length },
        command: true,
      });
      return { vouchers };
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
