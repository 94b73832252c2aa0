import { loadTexts } from '../../../app/i18n.ts';

export async function loadNetworkSettings() {
  const [module] = await Promise.all([import('./network-settings.tsx'), loadTexts('networkSettings')]);
  return { default: module.NetworkSettings };
}
