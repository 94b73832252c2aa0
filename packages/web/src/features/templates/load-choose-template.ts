import { loadTexts } from '../../app/i18n.ts';

/** Loads the choice of a template for what a list has selected, with its texts; for `lazy`. */
export async function loadChooseTemplate() {
  const [module] = await Promise.all([import('./choose-template.tsx'), loadTexts('templates', 'fleetTools')]);
  return { default: module.ChooseTemplate };
}
