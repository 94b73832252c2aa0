export { rebootDevices } from './devices/device-actions.ts';
export { loadCreateNetwork } from './networks/load-create-network.ts';
export { loadMaintenanceDialog } from './networks/load-maintenance.ts';
export { rebootNetworks } from './networks/network-actions.tsx';
export { loadWaitingGuide } from './waiting/load-waiting-guide.ts';
