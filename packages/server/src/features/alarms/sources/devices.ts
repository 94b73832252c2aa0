import { slowPorts } from '../../../telemetry/read/slow-ports.ts';
import { fleetDevices } from '../../fleet/index.ts';
import { type AlarmSource, collector, dated, type Observation } from '../source.ts';

type Kind = 'storage_low' | 'port_slow' | 'config_failed' | 'config_drifted';

export const deviceSource: AlarmSource<Kind> = {
  kinds: { storage_low: null, port_slow: null, config_failed: null, config_drifted: null },
  async read(tx, { now, tracked, gateways }) {
    const found: Observation[] = [];
    const { measured, observe } = collector(found);
    for (const { disk, ...ref } of gateways) measured('storage_low', ref, disk);
    for (const { name, isSlow, speed, ...ref } of await slowPorts(tx, now, tracked('port_slow')))
      observe('port_slow', ref, name, isSlow, speed);
    for (const { state, ...ref } of await fleetDevices.configurationTroubles(tx))
      found.push(dated(state === 'failed' ? 'config_failed' : 'config_drifted', ref));
    return found;
  },
};
