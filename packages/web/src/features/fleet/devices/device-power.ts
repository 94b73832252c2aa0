import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import type { DeviceRow } from './device-actions.ts';

/** An access point that no command reaches, before a person who may restart it. */
export function useMayNeedPower(row: Pick<DeviceRow, 'kind' | 'status' | 'is_gateway' | 'gwid'> | undefined): boolean {
  const [mayCycle, maySee] = [useMay('network.write'), useMay('config.read')];
  if (!mayCycle || !maySee || !row?.gwid) return false;
  return row.kind === 'ap' && row.status === 'offline' && !row.is_gateway;
}

/** Returns whether a switch can restart it by PoE; false until that is known. */
export function usePowerPort(row: DeviceRow, isAsked: boolean): boolean {
  const enabled = useMayNeedPower(row) && isAsked;
  const { data } = useRead('/api/v3/switch/port/find', { gwid: row.gwid ?? '', mac: row.serial }, { enabled });
  const found = enabled ? data?.found : null;
  return found?.status === 'online' && found.port.cycle_gate === null;
}
