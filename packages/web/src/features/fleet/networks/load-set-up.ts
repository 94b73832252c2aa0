import { loadTexts } from '../../../app/i18n.ts';

/** Loads the dialog that sets up chosen networks with its texts; for `lazy`. */
export async function loadSetUpNetworks() {
  const [module] = await Promise.all([import('./set-up-networks.tsx'), loadTexts('firmware', 'networkSettings')]);
  return { default: module.SetUpNetworks };
}
