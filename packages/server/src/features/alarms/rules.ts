import type { AlarmKind } from '@yunxun/contract';
import type { Rule } from './standard-rules.ts';

export interface Place {
  gwid: string;
  groupId: string | null;
}

/** Rules of an account: of every kind the main one, and others for some networks or groups. */
export interface Rules {
  /** The most specific rule: of the network, the group, else the main one. */
  at(kind: AlarmKind, place: Place): Rule;
  /** Main rule first. */
  of(kind: AlarmKind): readonly Rule[];
}

/** @param rules with a main one of every kind */
export function rulesFrom(rules: readonly Rule[]): Rules {
  const kinds = new Map<AlarmKind, { main: Rule; all: Rule[]; places: Map<string, Rule> }>();
  for (const rule of rules.toSorted((a, b) => Number(a.id !== null) - Number(b.id !== null))) {
    const known = kinds.get(rule.kind) ?? { main: rule, all: [], places: new Map<string, Rule>() };
    known.all.push(rule);
    for (const id of rule.scope.ids) known.places.set(`${rule.scope.type} ${id}`, rule);
    kinds.set(rule.kind, known);
  }
  return {
    at(kind, { gwid, groupId }) {
      const { main, places } = kinds.get(kind)!;
      if (places.size === 0) return main;
      return places.get(`networks ${gwid}`) ?? places.get(`groups ${groupId}`) ?? main;
    },
    of: (kind) => kinds.get(kind)!.all,
  };
}

export function covers(rules: Rules, kind: AlarmKind, place: Place): boolean {
  const rule = rules.at(kind, place);
  return rule.enabled && isWithin(rule, place);
}

export function isWithin({ scope: { type, ids } }: Rule, { gwid, groupId }: Place): boolean {
  if (type === 'all') return true;
  const id = type === 'networks' ? gwid : groupId;
  return id !== null && ids.includes(id);
}

/** Returns whether an enabled rule may cover the network; its devices' groups are unknown. */
export function mayCover(rules: Rules, kind: AlarmKind, gwid: string): boolean {
  const rule = rules.at(kind, { gwid, groupId: null });
  if (rule.scope.type === 'networks' && isWithin(rule, { gwid, groupId: null })) return rule.enabled;
  return covers(rules, kind, { gwid, groupId: null }) || rules.of(kind).some(ofGroups);
}

const ofGroups = ({ enabled, scope }: Rule) => enabled && scope.type === 'groups';
