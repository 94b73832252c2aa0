import { loadTexts } from '../../app/i18n.ts';

export async function loadNetworkTimeline() {
  const [module] = await Promise.all([import('./network-timeline.tsx'), loadTexts('networkTimeline', 'outages')]);
  return { default: module.NetworkTimeline };
}
