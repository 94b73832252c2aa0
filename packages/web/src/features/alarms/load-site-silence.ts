import { loadTexts } from '../../app/i18n.ts';

export async function loadSiteSilenceNotice() {
  const [module] = await Promise.all([import('./site-silence.tsx'), loadTexts('siteSilence')]);
  return { default: module.SiteSilenceNotice };
}

export async function loadSiteSilenceDialog() {
  const [module] = await Promise.all([import('./site-silence.tsx'), loadTexts('siteSilence')]);
  return { default: module.SiteSilenceDialog };
}
