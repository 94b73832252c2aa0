import { loadTexts } from '../../../app/i18n.ts';

export async function loadMaintenanceDialog() {
  const [module] = await Promise.all([import('./maintenance-dialog.tsx'), loadTexts('firmware', 'networkSettings')]);
  return { default: module.MaintenanceDialog };
}

export async function loadMaintenanceNotice() {
  const [module] = await Promise.all([import('./maintenance-notice.tsx'), loadTexts('networkSettings')]);
  return { default: module.MaintenanceNotice };
}
