import { wanStates } from '../../../telemetry/read/alarm-levels.ts';
import { type AlarmSource, collector, type Observation } from '../source.ts';

const kinds = ['wan_down', 'wan_latency_high', 'wan_loss_high'] as const;

export const wanSource: AlarmSource<(typeof kinds)[number]> = {
  kinds: { wan_down: null, wan_latency_high: { level: 'latency' }, wan_loss_high: { level: 'loss' } },
  async read(tx, { now, tracked }) {
    const found: Observation[] = [];
    const { measured, observe } = collector(found);
    const wans = await wanStates(tx, now);
    for (const { name, alive, latency, loss, ...ref } of wans) {
      if (name === null) continue;
      if (alive !== null) observe('wan_down', ref, name, !alive);
      // a WAN that is down loses all probes: one problem
      const isUp = alive !== false;
      measured('wan_latency_high', ref, isUp ? latency : 0, name);
      measured('wan_loss_high', ref, isUp ? loss : 0, name);
    }
    const namesOf = new Map<string, Set<string | null>>();
    for (const { accountId, serial, name } of wans) {
      const id = `${accountId} ${serial}`;
      namesOf.set(id, (namesOf.get(id) ?? new Set()).add(name));
    }
    // a WAN that the gateway no longer has
    for (const kind of kinds)
      for (const one of tracked(kind))
        if (namesOf.get(`${one.accountId} ${one.serial}`)?.has(one.part) === false) observe(kind, one, one.part, false);
    return found;
  },
};
