import type { ImportColumn } from '@yunxun/contract';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { FileColumn } from '../../ui/table/columns.ts';
import { download } from '../../ui/table/csv.ts';

export type ImportRow = Data<'/api/v3/peripheral/import/read'>['rows'][number];
/** Messages by `rows.<index>.<column>`. */
export type RowErrors = Readonly<Record<string, readonly string[]>>;

export const importColumns: readonly ImportColumn[] = [
  'name',
  'type',
  'network',
  'group',
  'ip',
  'mac',
  'mode',
  'detect_port',
  'web_port',
  'shell_port',
];

/** Heads that the console reads back. */
export const headOf = (column: ImportColumn): string =>
  column === 'mode' ? t('peripherals.detection') : t(`peripherals.${column}`);

export const errorsAt = (errors: RowErrors, index: number, column: ImportColumn): string | undefined =>
  errors[`rows.${index}.${column}`]?.[0];

const columns = (): FileColumn<ImportRow>[] =>
  importColumns.map((column) => ({ title: headOf(column), text: (row) => row[column] ?? '' }));

async function save(name: string, heads: readonly FileColumn<ImportRow>[], rows: readonly ImportRow[]): Promise<void> {
  const { toXlsx, xlsxType } = await import('../../ui/table/xlsx.ts');
  download(name, toXlsx(heads, rows), xlsxType);
}

export function saveTemplate(): Promise<void> {
  const ports = { detect_port: '554', web_port: '80', shell_port: '' };
  return save('peripherals.xlsx', columns(), [
    {
      line: 2,
      name: t('peripherals.example_name'),
      type: t('peripherals.type_camera'),
      network: '',
      group: '',
      ip: '192.168.1.64',
      mac: '',
      mode: 'TCP',
      ...ports,
    },
  ]);
}

/** Saves the rows with a wrong cell, and why in a last column. */
export function saveWrongRows(rows: readonly ImportRow[], errors: RowErrors): Promise<void> {
  const why = (index: number) =>
    importColumns.flatMap((column) => {
      const text = errorsAt(errors, index, column);
      return text ? [t('peripherals.cell_error', { column: headOf(column), text })] : [];
    });
  const reasons = new Map(rows.map((row, index) => [row, why(index).join('; ')]));
  return save(
    'wrong-rows.xlsx',
    [...columns(), { title: t('peripherals.errors'), text: (row) => reasons.get(row) ?? '' }],
    rows.filter((row) => reasons.get(row)),
  );
}
