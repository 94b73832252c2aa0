export { csvOf } from './files.ts';
export { loadImportDialog } from './load-import-dialog.ts';
export { atOnce, TableFileField, useTableFile } from './table-file.tsx';
