import { loadTexts } from '../../app/i18n.ts';

/** How a device finds the console, with its texts: shown where there is none yet. */
export async function loadWaitingGuide() {
  const [module] = await Promise.all([import('./waiting-guide.tsx'), loadTexts('onboarding')]);
  return { default: module.WaitingGuide };
}
