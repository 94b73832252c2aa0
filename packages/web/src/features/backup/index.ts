export { loadBackUp } from './load-back-up.ts';
