import { loadTexts } from '../../app/i18n.ts';

/** Loads the dialog of later restarts with its texts; for `lazy`. */
export async function loadRestartLater() {
  const [module] = await Promise.all([import('./restart-later.tsx'), loadTexts('firmware', 'networkSettings')]);
  return { default: module.RestartLater };
}
