import { loadTexts } from '../../app/i18n.ts';

/** Loads what backs networks up now, with its texts, for a screen that is about something else. */
export async function loadBackUp() {
  const [{ backUp }] = await Promise.all([import('./acts.ts'), loadTexts('backup')]);
  return backUp;
}
