export { csvOf } from './files.ts';
export { atOnce, TableFileField, useTableFile } from './table-file.tsx';
