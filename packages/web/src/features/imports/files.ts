import { t } from '../../app/i18n.ts';
import type { Column } from '../../ui/table/columns.ts';
import { toCsv } from '../../ui/table/csv.ts';
import type { ImportRow, Outcome } from './device-import.ts';

export const csvOf = 'text/csv;charset=utf-8';

const column = <Row>(title: string, text: (row: Row) => string): Column<Row> => ({
  key: title,
  title,
  text,
  cell: text,
});

const columns = (): Column<ImportRow>[] => [
  column(t('imports.serial'), ({ serial }) => serial),
  column(t('imports.name'), ({ name }) => name),
  column(t('imports.network'), ({ network }) => network),
  column(t('imports.tags'), ({ tags }) => tags),
];

export function templateCsv(): string {
  const tags = t('imports.example_tags');
  return toCsv(columns(), [
    { line: 2, serial: '00005e005301', name: t('imports.example_name'), network: t('imports.example_network'), tags },
  ]);
}

export function failedCsv(rows: readonly ImportRow[], { rows: outcomes }: Outcome): string {
  const why = new Map(outcomes.filter(({ result }) => result === 'failed').map((one) => [one.line, one.why ?? '']));
  return toCsv(
    [...columns(), column<ImportRow>(t('imports.why'), ({ line }) => why.get(line) ?? '')],
    rows.filter(({ line }) => why.has(line)),
  );
}
