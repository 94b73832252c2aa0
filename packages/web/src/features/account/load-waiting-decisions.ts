import { loadTexts } from '../../app/i18n.ts';

export async function loadWaitingDecisions() {
  const [module] = await Promise.all([import('../billing/waiting-decisions.tsx'), loadTexts('billing')]);
  return { default: module.WaitingDecisions };
}
