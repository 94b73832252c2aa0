import { loadTexts } from '../../../app/i18n.ts';

/** Loads the dialog that plans maintenance with its texts; for `lazy`. */
export async function loadMaintenanceDialog() {
  const [module] = await Promise.all([import('./maintenance-dialog.tsx'), loadTexts('firmware', 'networkSettings')]);
  return { default: module.MaintenanceDialog };
}

/** Loads the notice of planned maintenance with its texts; for `lazy`. */
export async function loadMaintenanceNotice() {
  const [module] = await Promise.all([import('./maintenance-notice.tsx'), loadTexts('networkSettings')]);
  return { default: module.MaintenanceNotice };
}
