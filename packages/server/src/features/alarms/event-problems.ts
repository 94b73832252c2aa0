import type { AlarmKind } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { type AlarmingEvent, type EventSpell, eventSpells } from '../fleet/event-spells.ts';
import { sdwanNames } from '../sdwan/names.ts';
import type { Observation, ObservationRequest } from './observations.ts';

export const eventKinds: Readonly<Record<AlarmingEvent, AlarmKind>> = {
  crash: 'device_crashed',
  sdwan_path: 'sdwan_path_changed',
};

/** Covers all accounts. System role. */
export async function readEventSpells(
  tx: Tx,
  { now, endedSince }: Pick<ObservationRequest, 'now' | 'endedSince'>,
): Promise<Observation[]> {
  const spells = await withNames(tx, await eventSpells(tx, { now, since: endedSince }));
  return spells.map(({ accountId, serial, event, part, since, ended }) => ({
    ...{ accountId, serial, kind: eventKinds[event], part, since, ended, isProblem: true, value: null },
  }));
}

/** Names SD-WAN networks; omits deleted ones. */
export async function withNames(tx: Tx, spells: readonly EventSpell[]): Promise<EventSpell[]> {
  const paths = spells.filter(({ event }) => event === 'sdwan_path');
  const names = await sdwanNames(
    tx,
    paths.map(({ part }) => part),
  );
  return spells.flatMap((spell) => {
    if (spell.event !== 'sdwan_path') return [spell];
    const name = names.get(spell.part);
    return name === undefined ? [] : [{ ...spell, part: name }];
  });
}
