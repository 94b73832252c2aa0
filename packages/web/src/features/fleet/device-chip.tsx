import { SyncChip } from '../../ui/status.tsx';
import { configState } from './config-state.ts';
import type { DeviceRow } from './device-acts.ts';

type Device = Pick<DeviceRow, 'status' | 'sync_state' | 'sync_reason' | 'trial_until'>;

/** Where a device's configuration stands, with the countdown while a gateway tries it out. */
export function DeviceChip({ device, hasSettings }: { device: Device; hasSettings: boolean }) {
  const state = configState(device, hasSettings);
  return <SyncChip state={state} trialUntil={device.trial_until} reason={device.sync_reason} />;
}
