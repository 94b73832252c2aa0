export { loadUpgradeChosen } from './load-upgrade-chosen.ts';
export { StartAt, startWrong } from './plan-fields.tsx';
