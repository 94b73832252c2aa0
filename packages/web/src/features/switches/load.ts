import { loadTexts } from '../../app/i18n.ts';

export async function loadPorts() {
  const [module] = await Promise.all([import('./ports.tsx'), loadTexts('switches', 'wireless')]);
  return { default: module.Ports };
}
