import { loadTexts } from '../../app/i18n.ts';

/** Loads the wireless settings of a group with their texts, for a screen that is about something else; for `lazy`. */
export async function loadGroupSettings() {
  const [module] = await Promise.all([import('./group-settings.tsx'), loadTexts('templates', 'fleet')]);
  return { default: module.GroupSettings };
}
