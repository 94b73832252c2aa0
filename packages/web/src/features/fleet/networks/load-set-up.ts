import { loadTexts } from '../../../app/i18n.ts';

export async function loadSetUpNetworks() {
  const [module] = await Promise.all([import('./set-up-networks.tsx'), loadTexts('firmware', 'networkSettings')]);
  return { default: module.SetUpNetworks };
}
