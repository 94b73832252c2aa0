import { type AlarmSource, collector, type Observation, presetValues } from '../alarms/observations.ts';
import { sdwanNames } from './names.ts';
import { withNames } from './path-periods.ts';

export const sdwanAlarms: AlarmSource<'sdwan_path_changed' | 'sdwan_down'> = {
  kinds: {
    sdwan_path_changed: presetValues(null, ['MIDDLE', 0, null], ['MIDDLE', 0, null]),
    sdwan_down: presetValues(['FATAL', 600, null], ['FATAL', 60, null], ['FATAL', 0, null]),
  },
  async read(tx, { gateways, events, tracked }) {
    const found: Observation[] = [];
    const { observe } = collector(found);
    const names = await sdwanNames(
      tx,
      gateways.flatMap(({ sdwan }) => sdwan.map(({ id }) => id)),
    );
    const known = new Map<string, Set<string>>();
    for (const { sdwan, ...ref } of gateways) {
      const parts = new Set<string>();
      for (const { id, tunnels, up } of sdwan) {
        const name = names.get(id);
        if (name === undefined || tunnels === 0) continue;
        observe('sdwan_down', ref, name, up === 0);
        parts.add(name);
      }
      known.set(`${ref.accountId} ${ref.serial}`, parts);
    }
    // removed at the gateway: no problem any more
    for (const one of tracked('sdwan_down'))
      if (known.get(`${one.accountId} ${one.serial}`)?.has(one.part) === false)
        observe('sdwan_down', one, one.part, false);
    const changes = events.filter(({ event }) => event === 'sdwan_path');
    for (const { accountId, serial, part, since, ended } of await withNames(tx, changes))
      found.push({ accountId, serial, kind: 'sdwan_path_changed', part, since, ended, isProblem: true, value: null });
    return found;
  },
};
