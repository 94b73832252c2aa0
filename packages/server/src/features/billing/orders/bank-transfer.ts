import type { billingOrders, DataOf, InputOf, transfers } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { installationSettings, theInstallation } from '../../installation/index.ts';
import { record } from '../../logs/index.ts';
import { yuan } from '../service.ts';
import type { Order } from './order-kind.ts';
import { referenceOf } from './transfer-reference.ts';

type Bank = DataOf<typeof transfers.bankGet>;
export type TransferTo = DataOf<typeof billingOrders.recharge>['transfer'];

const setting = 'bank_transfer';
const initial: Bank = { enabled: false, version: 0, bank: '', account_no: '', payee: '' };

/** Requires the system role. */
export async function readBank(tx: Tx | Database['system']): Promise<Bank> {
  return (await installationSettings.readSetting<Bank>(tx, setting)) ?? initial;
}

/** @throws Failure changedMeanwhile; Invalid beside an empty field of an offered account */
export async function saveBank(tx: Tx, acting: Acting, input: InputOf<typeof transfers.bankSave>): Promise<void> {
  await installationSettings.lockSetting(tx, setting);
  const before = await readBank(tx);
  if (input.version !== before.version) throw new Failure('changedMeanwhile', { data: { version: before.version } });
  if (input.enabled)
    for (const field of ['bank', 'account_no', 'payee'] as const)
      if (input[field] === '') invalid(field, 'validation.required');
  const after: Bank = { ...input, version: before.version + 1 };
  await installationSettings.writeSetting(tx, setting, after);
  await record(tx, acting, { action: 'transfer.bank', object: theInstallation, before, after });
}

/** Null unless the account has to transfer money for it. */
export async function transferOf(database: Database, order: Order): Promise<TransferTo> {
  const { method, payer, state, fen, orderNo } = order;
  if (method !== 'manual' || payer !== 'account' || state !== 'incomplete') return null;
  const { enabled, bank, account_no, payee } = await readBank(database.system);
  return enabled ? { bank, account_no, payee, amount: yuan(fen), reference: referenceOf(orderNo) } : null;
}
