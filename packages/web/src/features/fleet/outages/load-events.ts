import { loadTexts } from '../../../app/i18n.ts';

export async function loadEvents() {
  const [module] = await Promise.all([import('./events-tab.tsx'), loadTexts('outages')]);
  return { default: module.EventsTab };
}
