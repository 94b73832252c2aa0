import { lazy } from 'react';
import { loadTexts } from './i18n.ts';

/** Version of wireless settings that an undo brings back. */
export type Reverted = ({ gwid: string } | { group_id: string }) & { to: number };

export const RevertPreview = lazy(async () => {
  const [module] = await Promise.all([import('../features/configuration/revert-preview.tsx'), loadTexts('wireless')]);
  return { default: module.RevertPreview };
});
