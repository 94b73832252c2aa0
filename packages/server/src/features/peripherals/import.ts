import {
  type peripheralImport as contract,
  type DataOf,
  type ImportColumn,
  type InputOf,
  peripheralImport,
  peripherals,
} from '@yunxun/contract';
import { normaliseClientMac } from '@yunxun/contract/device';
import { ruleErrorOf, rules } from '@yunxun/contract/rules';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { Failure, type FieldError, Invalid, invalid } from '../../platform/failure.ts';
import { nameKey } from '../../platform/search/index.ts';
import { isSpreadsheet, readSpreadsheet, Unreadable } from '../../platform/spreadsheet.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { type Given, refuseWrong } from './service.ts';

type Row = InputOf<typeof contract.run>['rows'][number];

/** Both languages, as in exports. */
const heads: Readonly<Record<ImportColumn, readonly string[]>> = {
  name: ['name', '名称'],
  type: ['type', '类型'],
  network: ['network', '网络', '所属网络'],
  group: ['group', '分组'],
  ip: ['address', 'ip', 'ip address', '地址', 'ip 地址', 'ip地址'],
  mac: ['mac', 'mac address', 'mac 地址', 'mac地址'],
  mode: ['detection', '检测方式'],
  detect_port: ['detection port', '检测端口'],
  web_port: ['web port', 'web 端口', 'web端口'],
  shell_port: ['shell port', 'shell 端口', 'shell端口'],
};

const types: Readonly<Record<Given['type'], readonly string[]>> = {
  switch: ['switch', '交换机'],
  firewall: ['firewall', '防火墙'],
  server: ['server', '服务器'],
  camera: ['camera', '摄像头'],
  printer: ['printer', '打印机'],
  smart_device: ['smart device', 'smart_device', '智能设备'],
  other: ['other', '其他', ''],
};

const modes: Readonly<Record<Given['mode'], readonly string[]>> = {
  tcp: ['tcp', 'tcp port', 'tcp 端口'],
  icmp: ['icmp', 'icmp (ping)', 'icmp（ping）', 'ping'],
};

const maxCharacters = 200;

/** Skips empty rows. @throws Failure tooLarge; Invalid */
export async function readRows(base64: string): Promise<DataOf<typeof contract.read>['rows']> {
  const { rows: maxRows, bytes } = peripheralImport.fileLimits;
  const file = Buffer.from(base64, 'base64');
  if (file.length > bytes) throw new Failure('tooLarge', { data: { limit: bytes, rows: maxRows } });
  if (!isSpreadsheet(file)) invalid('file', 'validation.fileType', { types: 'xls, xlsx' });
  const [first = [], ...lines] = await readSpreadsheet(file).catch((error: unknown) => {
    if (error instanceof Unreadable) return invalid('file', 'peripheral.unreadable');
    throw error;
  });
  const titles = first.map(nameKey);
  const places = peripheralImport.importColumns.map((column) => ({
    column,
    at: titles.findIndex((title) => heads[column].includes(title)),
  }));
  if (!places.some(({ column, at }) => column === 'name' && at >= 0)) invalid('file', 'peripheral.no_name_column');
  const rows = lines.flatMap((cells, index): Row[] => {
    if (cells.every((cell) => cell === '')) return [];
    const row = Object.fromEntries(places.map(({ column, at }) => [column, (cells[at] ?? '').slice(0, maxCharacters)]));
    return [{ line: index + 2, ...(row as Record<ImportColumn, string>) }];
  });
  if (rows.length > maxRows) throw new Failure('tooLarge', { data: { limit: maxRows, rows: rows.length } });
  return rows;
}

type Wrong = Partial<Record<ImportColumn, FieldError>>;

/**
 * Checks against each other and stored devices.
 * @param gwid for rows without a network
 * @throws Invalid with `rows.<index>.<column>`
 */
export async function checkRows(
  tx: Tx,
  accountId: string,
  rows: readonly Row[],
  gwid: string | undefined,
): Promise<Given[]> {
  const named = rows.map(({ network }) => network);
  const networks = await fleetNetworks.named(tx, accountId, named);
  const read = rows.map((row) => readRow(row, networkOf(row, networks, gwid)));
  const used = await usedIn(tx, accountId, [...new Set(read.map(({ given }) => given.gwid).filter(Boolean))]);
  for (const { given, wrong } of read) {
    const name = `${given.gwid} ${given.name.toLowerCase()}`;
    const target = `${given.gwid} ${given.ip} ${given.detect_port}`;
    if (!wrong.name && used.has(name)) wrong.name = { key: 'validation.duplicate' };
    if (!wrong.ip && !wrong.detect_port && used.has(target)) wrong.ip = { key: 'validation.duplicate' };
    used.add(name).add(target);
  }
  const errors = read.flatMap(({ wrong }, index) =>
    Object.entries(wrong).map(([column, error]): [string, FieldError[]] => [`rows.${index}.${column}`, [error]]),
  );
  if (errors.length > 0) throw new Invalid(Object.fromEntries(errors));
  return read.map(({ given }) => given);
}

function networkOf(
  row: Row,
  networks: (name: string) => readonly string[],
  gwid: string | undefined,
): string | FieldError {
  const name = row.network.trim();
  if (name === '') return gwid ?? { key: 'validation.required' };
  const [found, another] = networks(name);
  if (another !== undefined) return { key: 'import.network_twice' };
  return found ?? { key: 'import.no_network' };
}

function readRow(row: Row, network: string | FieldError): { given: Given; wrong: Wrong } {
  const wrong: Wrong = {};
  const word = <W extends string>(column: 'type' | 'mode', all: Readonly<Record<W, readonly string[]>>): W | null => {
    const text = nameKey(row[column]);
    const fits = (texts: readonly string[]) => texts.some((one) => nameKey(one) === text);
    return (Object.entries(all) as [W, readonly string[]][]).find(([, texts]) => fits(texts))?.[0] ?? null;
  };
  const port = (column: 'detect_port' | 'web_port' | 'shell_port'): number | null => {
    const text = row[column].trim();
    if (text === '') return null;
    const isPort = /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
    if (!isPort) wrong[column] = { key: 'validation.between', params: { min: 1, max: 65_535 } };
    return Number(text);
  };
  const text = (column: 'name' | 'group', max: number): string => {
    const given = (row[column] ?? '').trim();
    if (given === '') return given;
    if (!rules.freeText.test(given)) wrong[column] = ruleErrorOf(rules.freeText, given)!;
    else if (given.length > max) wrong[column] = { key: 'validation.maxLength', params: { max } };
    return given;
  };
  const limits = peripherals.peripheralLimits;
  const name = text('name', limits.name);
  if (name === '') wrong.name = { key: 'validation.required' };
  if (typeof network !== 'string') wrong.network = network;
  const type = word('type', types);
  if (!type) wrong.type = { key: 'validation.invalid' };
  const detectPort = port('detect_port');
  const mode = row.mode.trim() === '' ? (detectPort === null ? 'icmp' : 'tcp') : word('mode', modes);
  if (!mode) wrong.mode = { key: 'validation.invalid' };
  const mac = normaliseClientMac(row.mac);
  if (row.mac.trim() !== '' && mac === null) wrong.mac = { key: 'validation.mac' };
  const given: Given = {
    gwid: typeof network === 'string' ? network : '',
    name,
    type: type ?? 'other',
    group: text('group', limits.group) || null,
    ip: row.ip.trim(),
    mac,
    mode: mode ?? 'tcp',
    detect_port: detectPort,
    web_port: port('web_port'),
    shell_port: port('shell_port'),
  };
  try {
    refuseWrong(given);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    for (const [field, [first]] of Object.entries(error.errors)) wrong[field as ImportColumn] ??= first!;
  }
  return { given, wrong };
}

/** Returns names and targets that the networks have. */
async function usedIn(tx: Tx, accountId: string, gwids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string; target: string }>`
    select gwid || ' ' || lower(name) as name, concat_ws(' ', gwid, host(ip), coalesce(detect_port::text, 'null')) as target
    from peripheral where account_id = ${accountId} and gwid = any(${[...gwids]}::uuid[])`.execute(tx);
  return new Set(rows.flatMap(({ name, target }) => [name, target]));
}
