import { loadTexts } from '../../app/i18n.ts';

export async function loadSecondPersons() {
  const [module] = await Promise.all([import('./second-persons.tsx'), loadTexts('billing')]);
  return { default: module.SecondPersons };
}
