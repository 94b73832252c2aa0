import { loadTexts } from '../../app/i18n.ts';

export async function loadChooseTemplate() {
  const [module] = await Promise.all([import('./choose-template.tsx'), loadTexts('templates', 'fleetTools')]);
  return { default: module.ChooseTemplate };
}
