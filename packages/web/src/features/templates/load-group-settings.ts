import { loadTexts } from '../../app/i18n.ts';

export async function loadGroupSettings() {
  const [module] = await Promise.all([import('./group-settings.tsx'), loadTexts('templates', 'fleet')]);
  return { default: module.GroupSettings };
}
