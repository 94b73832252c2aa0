import type { billingFapiao as contract, DataOf, InputOf } from '@yunxun/contract';
import { isTaxNumber, typedTaxNumber } from '@yunxun/contract/tax-number';
import { sql } from 'kysely';
import { type Acting, requireWholeAccount } from '../../../platform/acting.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { invalid, refuseOutdated } from '../../../platform/failure.ts';
import { record } from '../../logs/index.ts';
import { fapiaoTables, type Seller } from './tables.ts';

type Settings = DataOf<typeof contract.settingsGet>;

export interface FapiaoSettings {
  version: number;
  enabled: boolean;
  seller: Seller;
  issuer: Settings['issuer'];
}

const initial: FapiaoSettings = {
  version: 0,
  enabled: false,
  seller: { name: '', tax_no: '', rate: 6, goods_name: '', goods_code: '' },
  issuer: 'manual',
};

export async function readSettings(tx: Tx, accountId: string): Promise<FapiaoSettings> {
  const row = await fapiaoTables(tx)
    .selectFrom('fapiao_settings')
    .select(['version', 'enabled', 'seller', 'issuer'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ?? initial;
}

export function presentSettings({ version, enabled, seller, issuer }: FapiaoSettings): Settings {
  return {
    version,
    enabled,
    seller_name: seller.name,
    seller_tax_no: seller.tax_no,
    rate: seller.rate,
    goods_name: seller.goods_name,
    goods_code: seller.goods_code,
    issuer,
  };
}

/** @throws Invalid by field; Failure changedMeanwhile */
export async function saveSettings(
  tx: Tx,
  acting: Acting,
  { version, enabled, issuer, ...input }: InputOf<typeof contract.settingsSave>,
): Promise<void> {
  requireWholeAccount(acting, 'billing.write');
  const { accountId } = acting;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`fapiao settings ${accountId}`}, 0))`.execute(tx);
  const before = await readSettings(tx, accountId);
  refuseOutdated(before, { version });
  const { rate, goods_name, goods_code } = input;
  const seller = { name: input.seller_name, tax_no: typedTaxNumber(input.seller_tax_no), rate, goods_name, goods_code };
  const needed = { seller_name: seller.name, seller_tax_no: seller.tax_no, goods_name, goods_code };
  if (enabled) for (const [field, value] of Object.entries(needed)) if (!value) invalid(field, 'validation.required');
  if (seller.tax_no && !isTaxNumber(seller.tax_no)) invalid('seller_tax_no', 'validation.taxNumber');
  const values = { version: before.version + 1, enabled, seller: JSON.stringify(seller), issuer };
  await fapiaoTables(tx)
    .insertInto('fapiao_settings')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
  await record(tx, acting, {
    action: 'fapiao.settings',
    object: { type: 'fapiao', id: accountId, name: seller.name },
    before: presentSettings(before),
    after: presentSettings({ version: values.version, enabled, seller, issuer }),
  });
}
