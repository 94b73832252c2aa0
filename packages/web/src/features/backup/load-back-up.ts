import { loadTexts } from '../../app/i18n.ts';

export async function loadBackUp() {
  const [{ backUp }] = await Promise.all([import('./actions.ts'), loadTexts('backup')]);
  return backUp;
}
