import { loadTexts } from '../../app/i18n.ts';

/** Loads the flow of a network by application with its words; for `lazy`. */
export async function loadNetworkFlow() {
  const [module] = await Promise.all([import('./network-flow.tsx'), loadTexts('statistics')]);
  return { default: module.NetworkFlow };
}
