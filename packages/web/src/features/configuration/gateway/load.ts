import { loadTexts } from '../../../app/i18n.ts';

/** Loads the settings of a gateway with their texts; for `lazy`. */
export async function loadGateway() {
  const [module] = await Promise.all([import('./settings.tsx'), loadTexts('gateway', 'fleet')]);
  return { default: module.Gateway };
}
