import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import type { DeviceRow } from './device-actions.ts';

/** An access point that no command reaches. */
export const mayNeedPower = ({ kind, status, is_gateway: routes }: Pick<DeviceRow, 'kind' | 'status' | 'is_gateway'>) =>
  kind === 'ap' && status === 'offline' && !routes;

/** Returns whether a switch can restart it by PoE; false until that is known. */
export function usePowerPort(row: DeviceRow, isAsked: boolean): boolean {
  const [mayCycle, maySee] = [useMay('network.write'), useMay('config.read')];
  const enabled = isAsked && mayCycle && maySee && row.gwid !== null && mayNeedPower(row);
  const { data } = useRead('/api/v3/switch/port/find', { gwid: row.gwid ?? '', mac: row.serial }, { enabled });
  const found = enabled ? data?.found : null;
  return found?.status === 'online' && found.port.cycle_gate === null;
}
