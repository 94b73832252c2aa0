import { loadTexts } from '../../../app/i18n.ts';

/** Loads the settings of a gateway with their texts; for `lazy`. */
export async function loadGateway() {
  const [module] = await Promise.all([import('./settings.tsx'), loadTexts('gateway', 'fleet')]);
  return { default: module.Gateway };
}

/** Loads the list of what a person changed, with the words of the operation log; for `lazy`. */
export async function loadDiff() {
  const [module] = await Promise.all([import('./diff.tsx'), loadTexts('inbox', 'gateway')]);
  return { default: module.Diff };
}
