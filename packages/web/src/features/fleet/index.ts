export { rebootDevices } from './devices/device-actions.ts';
export { rebootNetworks } from './networks/network-actions.tsx';
export { loadWaitingGuide } from './waiting/load-waiting-guide.ts';
