import { loadTexts } from '../../app/i18n.ts';

/** Loads the history of a thing, with the words of every feature that may have changed it; for `lazy`. */
export async function loadHistory() {
  const [module] = await Promise.all([
    import('./history.tsx'),
    loadTexts('inbox', 'fleet', 'gateway', 'account', 'personal', 'installation', 'fleetTools'),
  ]);
  return { default: module.ObjectHistory };
}
