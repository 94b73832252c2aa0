export { loadChooseTemplate } from './load-choose-template.ts';
export { loadGroupSettings } from './load-group-settings.ts';
