import { loadTexts } from '../../../app/i18n.ts';

export async function loadNetworkTools() {
  const [module] = await Promise.all([import('./network-tools.tsx'), loadTexts('fleetTools')]);
  return { default: module.NetworkTools };
}

export async function loadDeviceTools() {
  const [module] = await Promise.all([import('./device-tools.tsx'), loadTexts('fleetTools')]);
  return { default: module.DeviceTools };
}

export async function loadDeviceNeighbours() {
  const [module] = await Promise.all([import('./device-neighbours.tsx'), loadTexts('fleetTools')]);
  return { default: module.DeviceNeighbours };
}
