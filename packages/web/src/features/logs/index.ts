export { actionName } from './labels.ts';
export { loadHistory } from './load-history.ts';
