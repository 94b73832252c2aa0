import { loadTexts } from '../../../app/i18n.ts';

/** The tools of a network's page, with their texts. */
export async function loadNetworkTools() {
  const [module] = await Promise.all([import('./network-tools.tsx'), loadTexts('fleetTools')]);
  return { default: module.NetworkTools };
}

/** The tools of a device's drawer, with their texts. */
export async function loadDeviceTools() {
  const [module] = await Promise.all([import('./device-tools.tsx'), loadTexts('fleetTools')]);
  return { default: module.DeviceTools };
}

/** Who else is on the air around a device, with its texts. */
export async function loadDeviceNeighbours() {
  const [module] = await Promise.all([import('./device-neighbours.tsx'), loadTexts('fleetTools')]);
  return { default: module.DeviceNeighbours };
}
