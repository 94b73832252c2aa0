import type { AlarmSource } from '../alarms/index.ts';
import { ledger } from '../billing/index.ts';
import { installationSettings } from '../installation/index.ts';
import { smsPriceFen, soldSetting } from './sale.ts';
import { smsTables } from './tables.ts';

/** Below the limit that an account set itself, where SMS are sold. */
export const smsAlarms: AlarmSource<'sms_balance_low'> = {
  kinds: { sms_balance_low: null },
  async read(tx, { trackedNetworks }) {
    const limited = await smsTables(tx)
      .selectFrom('sms_account')
      .select(['account_id', 'low_balance'])
      .where('low_balance', 'is not', null)
      .execute();
    const isSold = limited.length > 0 && (await installationSettings.readSetting<boolean>(tx, soldSetting));
    const sums = isSold ? await ledger.sums(tx, 'sms') : new Map<string, number>();
    const limits = new Map(isSold ? limited.map((row) => [row.account_id, row.low_balance!]) : []);
    const observed = new Set([...limits.keys(), ...trackedNetworks('sms_balance_low').map((one) => one.accountId)]);
    return [...observed].map((accountId) => {
      const left = Math.floor((sums.get(accountId) ?? 0) / smsPriceFen);
      return {
        accountId,
        serial: null,
        gwid: accountId,
        part: '',
        kind: 'sms_balance_low' as const,
        isProblem: left <= (limits.get(accountId) ?? Number.NEGATIVE_INFINITY),
        since: null,
        value: left,
      };
    });
  },
};
