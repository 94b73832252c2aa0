import { loadTexts } from '../../app/i18n.ts';

/** Loads the notice of a network's silence with its texts; for `lazy`. */
export async function loadSiteSilenceNotice() {
  const [module] = await Promise.all([import('./site-silence.tsx'), loadTexts('siteSilence')]);
  return { default: module.SiteSilenceNotice };
}

/** Loads the dialog that silences a network with its texts; for `lazy`. */
export async function loadSiteSilenceDialog() {
  const [module] = await Promise.all([import('./site-silence.tsx'), loadTexts('siteSilence')]);
  return { default: module.SiteSilenceDialog };
}
