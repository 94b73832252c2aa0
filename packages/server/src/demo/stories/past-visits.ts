import { createHash } from 'node:crypto';
import {
  type GuestKnowledge,
  type GuestWay,
  guestBrowser,
  invoiceLink,
  leaveOf,
  mistype,
  nextOf,
  type PastArrival,
  type PastGateway,
  pastGateways,
  pastSpots,
  signInBy,
} from '@yunxun/simulator';
import type { Owner } from '../accounts.ts';
import type { PastConsole } from '../past-console.ts';
import type { Site } from './sites.ts';
import type { DemoWorld } from './story.ts';
import { until } from './waiting.ts';

export interface PastSite {
  site: Site;
  arrive(number: number): PastArrival;
}

interface Visit {
  at: Date;
  way: GuestWay;
  isWrong?: boolean;
  minutes: number;
  /** Form of a request for an invoice, of guests who paid. */
  invoice?: Record<string, string> | null;
}

const minuteMs = 60_000;
const timeoutMs = 20_000;
const maxSteps = 4;

/** Waits until the gateway of a site captures guests, and lets it answer the console of the past. */
export async function openGateway(
  world: Pick<DemoWorld, 'stopping'>,
  past: PastConsole,
  { accountId }: Owner,
  { fleet }: Site,
): Promise<PastGateway> {
  const found = () => pastGateways(fleet).find(({ redirects }) => redirects.length > 0);
  await until(world, async () => found() !== undefined);
  const gateway = found()!;
  past.answer(accountId, gateway.serial, (params) => gateway.answer(params, past.now().getTime()));
  return gateway;
}

/** Waits until sites capture guests, and lets their devices speak with the console of the past. */
export async function openSites(
  world: Pick<DemoWorld, 'stopping'>,
  past: PastConsole,
  owner: Owner,
  sites: readonly Site[],
): Promise<PastSite[]> {
  const open: PastSite[] = [];
  for (const site of sites) {
    if (site.shop.edge) {
      open.push({ site, arrive: arriveAt(past, await openGateway(world, past, owner, site)) });
      continue;
    }
    const found = () => atAccessPoints(past, owner, site);
    await until(world, async () => found() !== null);
    open.push({ site, arrive: found()! });
  }
  return open;
}

const arriveAt =
  (past: PastConsole, { redirects }: PastGateway): PastSite['arrive'] =>
  (number) => {
    const redirect = new URL(redirects[number % redirects.length]!);
    const portal = new URL(past.portalUrl);
    Object.assign(redirect, { protocol: portal.protocol, host: portal.host });
    return { redirect: redirect.href, browser: (open) => open, stay: () => undefined, settled: async () => undefined };
  };

const atAccessPoints = (past: PastConsole, { accountId }: Owner, { fleet }: Site): PastSite['arrive'] | null =>
  pastSpots(fleet, {
    portalUrl: past.portalUrl,
    nowMs: () => past.now().getTime(),
    radius: (serial, kind, data) => past.radius({ accountId, serial }, kind, data),
  });

/** Returns a draw of 0…99 that depends on the question alone. */
export const drawFor =
  (seed: string) =>
  (question: string): number =>
    createHash('sha256').update(`${seed} ${question}`).digest().readUInt32BE() % 100;

/**
 * Lets one of a site's guests come, sign in and leave.
 * @param number of the guest
 */
export async function visit(
  past: PastConsole,
  { site, arrive }: PastSite,
  language: string,
  knows: GuestKnowledge,
  number: number,
  { at, way, isWrong = false, minutes, invoice = null }: Visit,
): Promise<void> {
  past.at(at);
  const { redirect, browser, stay, settled } = arrive(number);
  const open = browser(guestBrowser(language, () => AbortSignal.timeout(timeoutMs)));
  const page = await open(redirect);
  const guest = { page, open, knows, draw: drawFor(`${site.shop.name} ${number}`), next: () => number };
  const refused = isWrong ? await mistype(guest, way) : null;
  let shown = await signInBy({ ...guest, page: refused ?? page }, way);
  let leave = leaveOf(shown, open);
  for (let step = 0; step < maxSteps && leave === null; step += 1) {
    const next = nextOf(shown);
    if (next === null) return;
    shown = await open(next);
    leave = leaveOf(shown, open);
  }
  if (leave === null) return;
  const link = invoiceLink(shown);
  if (invoice && link !== null) await open(link, new URLSearchParams(invoice));
  // a clock that moves dates what is on its way
  await settled();
  stay(minutes);
  past.at(new Date(at.getTime() + minutes * minuteMs));
  await leave();
  await settled();
}
