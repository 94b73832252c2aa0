import { SyncChip } from '../../../ui/status.tsx';
import { configState } from './config-state.ts';
import type { DeviceRow } from './device-actions.ts';

type Device = Pick<DeviceRow, 'status' | 'sync_state' | 'sync_reason' | 'trial_until' | 'returned_at'>;

export function DeviceChip({ device, hasSettings }: { device: Device; hasSettings: boolean }) {
  const state = configState(device, hasSettings);
  return (
    <SyncChip
      state={state}
      trialUntil={device.trial_until}
      returnedAt={device.returned_at}
      reason={device.sync_reason}
    />
  );
}
