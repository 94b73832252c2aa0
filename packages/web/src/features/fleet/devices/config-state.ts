import type { SyncState } from '@yunxun/contract';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';

/** Returns false until known. */
export function useHasSettings(gwid: string | null): boolean {
  const may = useMay('config.read');
  const { data } = useRead('/api/v3/network/wireless/get', { gwid: gwid ?? '' }, { enabled: may && gwid !== null });
  return data !== undefined && data.version > 0;
}

/** Counts a device that its network's settings have not reached as waiting. */
export function configState(
  device: { sync_state: SyncState | null; status: string },
  hasSettings: boolean,
): SyncState | null {
  return device.sync_state ?? (hasSettings && device.status === 'online' ? 'pending' : null);
}
