import { uplinkName, vlanOf } from '@yunxun/contract/uplink-names';
import type { Data } from '../../app/api.ts';
import type { DrawnPort } from './ports.ts';

type Detail = Pick<Data<'/api/v3/ap/detail'>, 'ports' | 'lines' | 'status'>;

/** A port has no internet if all its WAN uplinks fail. */
export function drawnPorts({ ports, lines, status }: Detail): DrawnPort[] {
  return ports.map((port) => {
    const own = (lines ?? []).filter((wan) => uplinkName(port.name, vlanOf(wan.interface) ?? 0) === wan.interface);
    const reaches = own.length === 0 || own.some(({ alive }) => alive !== false);
    // links of a device that is away are history
    return { ...port, up: port.up && status === 'online', uplink: port.uplink || own.length > 0, reaches };
  });
}
