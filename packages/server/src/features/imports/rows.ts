import type { imports as contract, InputOf } from '@yunxun/contract';
import { type Heads, readColumns } from './columns.ts';

export type ImportRow = InputOf<typeof contract.run>['rows'][number];

type Column = Exclude<keyof ImportRow, 'line'>;

/** Column names in both languages. */
const heads: Heads<Column> = {
  serial: ['serial', 'sn', 'serial number', 'mac', 'mac address', '序列号', 'mac地址', 'mac 地址', '设备序列号'],
  name: ['name', 'remark', 'device name', '名称', '备注', '设备名称'],
  network: ['network', 'site', '网络', '所属网络', '网络名称'],
  tags: ['tags', 'tag', '标签'],
};

/** @throws Failure tooLarge; Invalid */
export const rowsOf = (base64: string): Promise<ImportRow[]> =>
  readColumns<Column>(base64, heads, { column: 'serial', missing: 'import.no_serial' });

/** Splits at commas and semicolons of either language, and at line breaks. */
export function tagsOf(text: string): string[] {
  return [
    ...new Set(
      text
        .split(/[,，、;；\n]+/)
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
  ];
}
