import { loadTexts } from '../../app/i18n.ts';

export async function loadHistory() {
  const [module] = await Promise.all([
    import('./history.tsx'),
    loadTexts('inbox', 'fleet', 'gateway', 'account', 'personal', 'installation', 'fleetTools'),
  ]);
  return { default: module.ObjectHistory };
}
