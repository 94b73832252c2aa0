/** Phones show rows as blocks: Safari then drops the implicit roles. */
export const roles = {
  table: 'table',
  rows: 'rowgroup',
  row: 'row',
  column: 'columnheader',
  name: 'rowheader',
  cell: 'cell',
} as const;
