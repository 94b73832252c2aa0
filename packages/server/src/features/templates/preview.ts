import { type Configuration, sumDrops } from '../configuration/index.ts';
import type { Preview } from './targets.ts';

export type Impact = Awaited<ReturnType<Configuration['layers']['impactOf']>>[number];

export function summed(version: number, impacts: readonly Impact[]): Preview {
  const count = (which: (impact: Impact) => boolean) => impacts.filter(which).length;
  const effectIs = (effect: Impact['effect']) => (impact: Impact) => impact.effect === effect;
  return {
    version,
    totals: {
      devices: impacts.length,
      changed: count(effectIs('changed')),
      unchanged: count(effectIs('unchanged')),
      wrong: count(effectIs('wrong')),
      unknown: count(effectIs('unknown')),
      offline: count(({ device }) => device.status !== 'online'),
      networks: new Set(impacts.flatMap(({ device }) => device.gwid ?? [])).size,
      terminals: impacts.reduce((sum, { terminals }) => sum + (terminals ?? 0), 0),
      lost: impacts.reduce((sum, { lost }) => sum + lost, 0),
      first: count(({ first, effect }) => first && effect === 'changed'),
      channels: count(({ channels }) => channels),
    },
    drops: sumDrops(impacts.map(({ drops }) => drops)),
    ssids: ssidsOf(impacts),
    unsupported: unsupportedOf(impacts),
    devices: impacts.map(({ device, effect, changes, terminals }) => ({
      serial: device.serial,
      name: device.name,
      gwid: device.gwid,
      model: device.model,
      status: device.status,
      effect,
      changes: changes.length,
      terminals,
    })),
  };
}

/** Pairs at one position with equal security are renamings. */
function ssidsOf(impacts: readonly Impact[]): Preview['ssids'] {
  const counted = new Map<string, Preview['ssids'][number]>();
  const note = (change: 'added' | 'removed' | 'renamed', name: string, before: string | null) => {
    const key = JSON.stringify([change, name, before]);
    const row = counted.get(key) ?? { change, name, before, devices: 0 };
    counted.set(key, { ...row, devices: row.devices + 1 });
  };
  for (const { ssids, effect } of impacts) {
    if (effect !== 'changed') continue;
    const [olds, news] = [new Set(ssids.before.map(nameOf)), new Set(ssids.after.map(nameOf))];
    const gone = new Set(ssids.before.filter(({ name }) => !news.has(name)));
    for (const [place, { name, security }] of ssids.after.entries()) {
      if (olds.has(name)) continue;
      const before = ssids.before[place];
      const renamed = before !== undefined && gone.has(before) && before.security === security;
      if (renamed) gone.delete(before);
      note(renamed ? 'renamed' : 'added', name, renamed ? before.name : null);
    }
    for (const { name } of gone) note('removed', name, null);
  }
  return [...counted.values()].toSorted((a, b) => b.devices - a.devices || (a.name < b.name ? -1 : 1));
}

const nameOf = ({ name }: { name: string }) => name;

function unsupportedOf(impacts: readonly Impact[]): Preview['unsupported'] {
  const counted = new Map<string, Preview['unsupported'][number]>();
  for (const { device, findings } of impacts) {
    const reported = new Set<string>();
    for (const { severity, code, field, params } of findings) {
      const key = JSON.stringify([device.model, severity, code, field, params]);
      if (reported.has(key)) continue;
      reported.add(key);
      const row = counted.get(key) ?? { model: device.model, severity, code, field, params, devices: 0 };
      counted.set(key, { ...row, devices: row.devices + 1 });
    }
  }
  return [...counted.values()].toSorted((a, b) => b.devices - a.devices);
}
