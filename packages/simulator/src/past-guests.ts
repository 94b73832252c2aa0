import { asRecord, type ConfigurationDocument, type EdgeShieldRow, type ShieldCategory } from '@yunxun/contract/device';
import type { ActionResult } from '@yunxun/edge';
import { AccessPointBox } from './box/access-point.ts';
import { EdgeGatewayBox } from './box/edge-gateway.ts';
import type { Fleet } from './fleet.ts';
import type { Browser } from './guest-page.ts';
import { SimulatedUspot } from './uspot/uspot.ts';
import { TrafficCounter } from './world/counter.ts';
import { drawMac } from './world/people.ts';
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

/** A guest of an earlier time at an access point. */
export interface PastArrival {
  redirect: string;
  /** Opens what the access point answers, too. */
  browser(open: Browser): Browser;
  /** Counts the guest's traffic. */
  stay(minutes: number): void;
  /** When the console has answered all that the access point sent. */
  settled(): Promise<void>;
}

/** The console of an earlier time. */
export interface PastLink {
  portalUrl: string;
  nowMs(): number;
  radius(serial: string, kind: 'auth' | 'acct', data: Buffer): Promise<Buffer | null>;
}

/** Returns null while no access point of the site lets guests sign in. `number` chooses the guest and the place. */
export function pastSpots(
  { devices }: Pick<Fleet, 'devices'>,
  link: PastLink,
): ((number: number) => PastArrival) | null {
  const spots = devices.flatMap(({ box, uspot, configuration }) =>
    box instanceof AccessPointBox && uspot?.gates ? [{ box, document: withPortal(configuration, link.portalUrl) }] : [],
  );
  if (spots.length === 0) return null;
  return (number) => {
    const { box, document } = spots[number % spots.length]!;
    const people = box.place.stations.filter(({ person }) => person.habit.comesAndGoes);
    const { person, ...station } = people[number % people.length]!;
    const { habit } = person;
    // no guest of now: one device has one session
    const mac = drawMac(new Random(`${box.serial} past ${number}`), { ...habit, privateMac: true });
    const client = { ...(box.spotClient(station) ?? { ip: '' }), mac };
    const traffic = new TrafficCounter();
    let sent: Promise<unknown> = Promise.resolve();
    const uspot: SimulatedUspot = new SimulatedUspot({
      serial: box.serial,
      speedUp: 1,
      address: () => box.address,
      document: () => document,
      stations: () => [{ ...client, traffic, idleSeconds: 0 }],
      nowMs: () => link.nowMs(),
      send(kind, data) {
        if (kind === 'coa') return;
        const answered = link.radius(box.serial, kind, data).then((answer) => {
          if (!answer) throw new Error(`${box.serial} got no answer to its RADIUS`);
          uspot.take(kind, answer);
        });
        sent = Promise.all([sent, answered]);
        // the next step of the guest rejects
        sent.catch(() => undefined);
      },
    });
    const visit = async (url: string) => {
      const going = uspot.visit(client, url);
      return Promise.race([going, sent.then(() => going)]);
    };
    return {
      redirect: uspot.redirect(client)!,
      browser: (open) => async (url, form) => open(uspot.serves(url) ? await visit(url) : url, form),
      stay(minutes) {
        const bytes = minutes * 60 * 125 * habit.active;
        traffic.add(Math.round(habit.up * bytes), Math.round(habit.down * bytes));
      },
      async settled() {
        await sent;
      },
    };
  };
}

/** A portal verifies the address at which it was opened. */
function withPortal(document: ConfigurationDocument, portalUrl: string): ConfigurationDocument {
  const services = asRecord<Record<string, unknown>>(document.services);
  const captive = asRecord<Record<string, unknown>>(services.captive);
  const { pathname } = new URL(String(captive['uam-server']));
  return {
    ...document,
    services: { ...services, captive: { ...captive, 'uam-server': new URL(pathname, portalUrl).href } },
  };
}
