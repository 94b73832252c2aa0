export async function loadImportDialog() {
  const { ImportDialog } = await import('./import-dialog.tsx');
  return { default: ImportDialog };
}
