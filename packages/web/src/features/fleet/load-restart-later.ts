import { loadTexts } from '../../app/i18n.ts';

export async function loadRestartLater() {
  const [module] = await Promise.all([import('./restart-later.tsx'), loadTexts('firmware', 'networkSettings')]);
  return { default: module.RestartLater };
}
