import { loadTexts } from '../../app/i18n.ts';

export async function loadNetworkFlow() {
  const [module] = await Promise.all([import('./network-flow.tsx'), loadTexts('statistics')]);
  return { default: module.NetworkFlow };
}
