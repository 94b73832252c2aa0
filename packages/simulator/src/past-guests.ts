import type { EdgeShieldRow, ShieldCategory } from '@yunxun/contract/device';
import type { ActionResult } from '@yunxun/edge';
import { EdgeGatewayBox } from './box/edge-gateway.ts';
import type { Fleet } from './fleet.ts';
import { Random } from './world/random.ts';

/** The gateway of a site, for guests who came before the fleet began. */
export interface PastGateway {
  serial: string;
  redirects: readonly string[];
  answer(params: Readonly<Record<string, unknown>>, nowMs: number): ActionResult;
  refused(lists: readonly ShieldList[], hourMs: number, blocked: boolean): EdgeShieldRow[];
}

interface ShieldList {
  category: ShieldCategory;
  domains: readonly string[];
}

export function pastGateways({ devices }: Pick<Fleet, 'devices'>): PastGateway[] {
  return devices.flatMap(({ box }) => {
    if (!(box instanceof EdgeGatewayBox)) return [];
    const people = box.place.stations.filter(({ person }) => person.habit.comesAndGoes);
    const redirects = people.flatMap((station) => box.redirect(station, 'http://captive.apple.com/') ?? []);
    const refused: PastGateway['refused'] = (lists, hourMs, blocked) =>
      refusedIn(
        lists,
        people.map(({ mac }) => mac),
        { random: new Random(`${box.serial} refused ${hourMs}`), hourMs, blocked },
      );
    return [{ serial: box.serial, redirects, answer: box.earlier(), refused }];
  });
}

function refusedIn(
  lists: readonly ShieldList[],
  macs: readonly string[],
  { random, hourMs, blocked }: { random: Random; hourMs: number; blocked: boolean },
): EdgeShieldRow[] {
  const at = Math.floor(hourMs / 1000);
  return lists.flatMap(({ category, domains }) =>
    Array.from({ length: Math.min(random.whole(0, 3), macs.length, domains.length) }, () => ({
      at,
      domain: random.pick(domains),
      mac: random.pick(macs).replaceAll(':', ''),
      category,
      blocked,
      queries: random.whole(1, 9),
    })),
  );
}
