import { loadTexts } from '../../app/i18n.ts';

/** Loads the upgrade of what a list has selected, with its texts; for `lazy`. */
export async function loadUpgradeChosen() {
  const [module] = await Promise.all([import('./upgrade-chosen.tsx'), loadTexts('firmware')]);
  return { default: module.UpgradeChosen };
}
