export * from './control.ts';
export { type DeviceStatus, SimulatedDevice } from './device.ts';
export * from './faults.ts';
export * from './fleet.ts';
export { simulatedSerial } from './world/addresses.ts';
