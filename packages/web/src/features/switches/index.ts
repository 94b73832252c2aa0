export { loadPorts } from './load.ts';
export { isVlan, listed, vlans } from './vlans.ts';
