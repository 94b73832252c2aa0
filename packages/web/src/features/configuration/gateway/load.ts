import { loadTexts } from '../../../app/i18n.ts';

export async function loadGateway() {
  const [module] = await Promise.all([import('./settings.tsx'), loadTexts('gateway', 'fleet')]);
  return { default: module.Gateway };
}

export async function loadDiff() {
  const [module] = await Promise.all([import('./diff.tsx'), loadTexts('inbox', 'gateway')]);
  return { default: module.Diff };
}

export async function loadEffects() {
  const [module] = await Promise.all([import('./effects.tsx'), loadTexts('gateway', 'sdwan')]);
  return { default: module.Effects };
}
