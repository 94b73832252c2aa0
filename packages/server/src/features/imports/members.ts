import {
  type imports as contract,
  type DataOf,
  type InputOf,
  type Locale,
  portal,
  portalShapes,
} from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { rules } from '@yunxun/contract/rules';
import { addDays, startOfDay } from '../../platform/calendar.ts';
import type { Caller, Identity, InTenant } from '../../platform/http/call.ts';
import { refusalOf } from '../../platform/http/envelope.ts';
import type { Calls } from '../../platform/http/invoke.ts';
import { accounts } from '../identity/index.ts';
import { takenMemberNames } from '../portal/index.ts';
import { type Heads, readColumns } from './columns.ts';

export type MemberRow = InputOf<typeof contract.members>['rows'][number];
type Outcome = DataOf<typeof contract.members>['rows'][number];

const heads: Heads<Exclude<keyof MemberRow, 'line'>> = {
  name: ['name', 'account', 'account name', 'user', 'username', '账号', '用户名', '名称'],
  password: ['password', '密码'],
  devices: ['devices', '设备数', '终端数', '同时在线设备数'],
  real_name: ['real name', '姓名', '真实姓名'],
  id_card: ['id card', 'id number', '身份证', '身份证号', '身份证号码'],
  until: ['until', 'valid until', 'end', '到期日期', '有效期', '有效期至'],
};

/** @throws Failure tooLarge; Invalid */
export const memberRowsOf = (base64: string): Promise<MemberRow[]> =>
  readColumns<Exclude<keyof MemberRow, 'line'>>(base64, heads, { column: 'name', missing: 'import.no_name' });

const minPassword = 6;
const maxPassword = 64;

/** The end of a calendar day in the account's time zone; null: without end; undefined: no day. */
function endOf(text: string, zone: string): string | null | undefined {
  if (text === '') return null;
  const [, year, month, day] = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(text) ?? [];
  if (!year || !month || !day) return undefined;
  const given = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = Date.parse(`${given}T00:00:00Z`);
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== given) return undefined;
  return new Date(startOfDay(addDays(given, 1), zone).getTime() - 1000).toISOString();
}

const maxRealName = 32;

/** Null: none is given; undefined: not both, or wrong. */
function realOf({ real_name: name, id_card }: MemberRow): { name: string; id_card: string } | null | undefined {
  if (name === '' && id_card === '') return null;
  const isName = name !== '' && name.length <= maxRealName && rules.freeText.test(name);
  return isName && id_card !== '' && rules.idCard.test(id_card) ? { name, id_card } : undefined;
}

function wrongIn(row: MemberRow): string | null {
  const { name, password, devices } = row;
  if (name === '' || name.length > portalShapes.portalLimits.name || !rules.nameText.test(name))
    return 'import.bad_name';
  if (password.length < minPassword || password.length > maxPassword || !rules.passwordFilter.test(password))
    return 'import.bad_password';
  if (realOf(row) === undefined) return 'import.bad_real_name';
  const count = Number(devices);
  if (devices !== '' && !(Number.isInteger(count) && count >= 1 && count <= portal.guestLimits.devices))
    return 'import.bad_devices';
  return null;
}

/** Creates accounts by the person's own calls; names that exist stay as they are, so that a list can be sent again. */
export async function importMembers(
  calls: Calls,
  {
    inTenant,
    accountId,
    identity,
    caller,
    now,
  }: { inTenant: InTenant; accountId: string; identity: Identity; caller: Caller; now: Date },
  { gwid, rows, dry = false }: InputOf<typeof contract.members>,
): Promise<DataOf<typeof contract.members>> {
  const given = rows.map(
    (row): MemberRow => ({ ...row, name: row.name.trim(), until: row.until.trim(), id_card: row.id_card.trim() }),
  );
  const { zone, taken } = await inTenant(async (tx) => ({
    zone: (await accounts.accountOf(tx, accountId)).time_zone,
    taken: await takenMemberNames(
      tx,
      { accountId, gwid },
      given.map(({ name }) => name),
    ),
  }));
  const locale = caller.locale as Locale;
  const seen = new Set<string>();

  async function one(row: MemberRow): Promise<Omit<Outcome, 'line' | 'name'>> {
    const failed = (key: string) => ({ result: 'failed' as const, why: messageByKey(locale, key), code: null });
    const key = row.name.toLowerCase();
    if (seen.has(key)) return failed('import.name_twice');
    seen.add(key);
    if (taken.has(key)) return { result: 'same', why: null, code: null };
    const wrong = wrongIn(row);
    if (wrong) return failed(wrong);
    const until = endOf(row.until, zone);
    if (until === undefined) return failed('import.bad_until');
    if (until !== null && new Date(until) <= now) return failed('validation.future');
    if (dry) return { result: 'would', why: null, code: null };
    const { name, password, devices } = row;
    const input = {
      gwid,
      name,
      password,
      enabled: true,
      until,
      devices: Number(devices || 1),
      real: realOf(row) ?? null,
    };
    try {
      await calls.invoke(portal.memberCreate.path, input, { identity, caller });
      return { result: 'done', why: null, code: null };
    } catch (error) {
      const { code, message } = refusalOf(error, locale);
      return { result: 'failed', why: message, code };
    }
  }

  const outcomes: Outcome[] = [];
  for (const row of given) outcomes.push({ line: row.line, name: row.name, ...(await one(row)) });
  const count = (...results: Outcome['result'][]) => outcomes.filter(({ result }) => results.includes(result)).length;
  return { rows: outcomes, done: count('done', 'would'), same: count('same'), failed: count('failed') };
}
