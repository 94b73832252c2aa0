import { loadTexts } from '../../../app/i18n.ts';

const texts = () => loadTexts('alarms', 'outages', 'trouble');

export async function loadProblemsCard() {
  const [module] = await Promise.all([import('./problems-card.tsx'), texts()]);
  return { default: module.ProblemsCard };
}

export async function loadNightCard() {
  const [module] = await Promise.all([import('./night-card.tsx'), texts()]);
  return { default: module.NightCard };
}

export async function loadRankingCard() {
  const [module] = await Promise.all([import('./ranking-card.tsx'), texts()]);
  return { default: module.RankingCard };
}

export async function loadTilesCard() {
  const [module] = await Promise.all([import('./tiles-card.tsx'), texts()]);
  return { default: module.TilesCard };
}
