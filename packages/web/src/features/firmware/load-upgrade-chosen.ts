import { loadTexts } from '../../app/i18n.ts';

export async function loadUpgradeChosen() {
  const [module] = await Promise.all([import('./upgrade-chosen.tsx'), loadTexts('firmware')]);
  return { default: module.UpgradeChosen };
}
