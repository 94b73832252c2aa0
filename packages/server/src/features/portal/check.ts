import { isIPv4 } from 'node:net';
import type { DataOf, InputOf, PortalGateway, portal } from '@yunxun/contract';
import { edgeCaptiveLimits } from '@yunxun/contract/device';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { InTenant } from '../../platform/http/call.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import { isManaged, type PortalAccessPoints } from './access-points/access-points.ts';
import { checkGate } from './access-points/gate-check.ts';
import { redirectsOf } from './access-points/redirect-store.ts';
import { adapters } from './adapters/index.ts';
import { exemptOf, lostSsid, needsRanges, rangedSsid, strayRange } from './captive/range.ts';
import type { EdgeFacts, EdgeGateways } from './edge-gateway.ts';
import { methodNamed } from './methods/index.ts';
import { createPaymentCheck, type PaymentCheckDeps } from './payments/payment-check.ts';
import { type Published, publishedOf } from './published.ts';
import { byRadius } from './session-ends.ts';
import type { Sites } from './site.ts';
import { findSite } from './site-store.ts';
import type { SiteTable } from './tables.ts';
import type { PortalTemplates } from './templates.ts';
import type { SiteKey } from './visit-store.ts';
import { whitelistHosts } from './whitelist.ts';

type Contract = typeof portal;
type Check = DataOf<Contract['check']>['checks'][number];
type Found = Omit<Check, 'step'>;

/** Of a RADIUS client of the network. */
export interface NasState {
  last_seen_at: Date | null;
  refused_at: Date | null;
  accepted: number;
  accounted: number;
}

export interface PortalCheckDeps extends PaymentCheckDeps {
  clock: Clock;
  templates: PortalTemplates;
  gateways: Pick<EdgeGateways, 'facts' | 'abilities' | 'resolves' | 'reaches'>;
  origin(): string;
  outbox: Pick<Outbox, 'toFile'>;
  sites: Pick<Sites, 'addressesNow' | 'settingsChanged'>;
  nasStates(tx: Tx, accountId: string, gwid: string): Promise<NasState[]>;
  speakingDevices(tx: Tx, accountId: string, gwid: string): Promise<{ serial: string; at: Date }[]>;
  accessPoints: Pick<PortalAccessPoints, 'states'>;
}

/** Milliseconds without a poll of openNDS, which polls every few seconds. */
const silentMs = 5 * 60_000;
/** Names of the walled garden that the gateway resolves: it takes a second each at worst. */
const maxNames = 8;

const fine: Found = { state: 'ok', finding: 'fine', name: null };
const unneeded: Found = { state: 'unneeded', finding: 'unneeded', name: null };
const wrong = (finding: Check['finding'], name: string | null = null): Found => ({ state: 'wrong', finding, name });
const unknown = (finding: Check['finding']): Found => ({ state: 'unknown', finding, name: null });

interface Facts {
  site: SiteTable | null;
  published: Published | null;
  edge: EdgeFacts;
  connects: boolean;
  passes: boolean;
  signIns: SignIns;
  nas: NasState[];
  settingsChanged: boolean;
}

/** Of a day; null: none. */
interface SignIns {
  granted: Date | null;
  not_taken: Date | null;
  unverified: Date | null;
}

export function createPortalCheck(deps: PortalCheckDeps) {
  const { clock, templates, gateways, origin, outbox, sites, nasStates, speakingDevices, accessPoints } = deps;
  const paymentOf = createPaymentCheck(deps);

  async function read(tx: Tx, { accountId, gwid }: SiteKey): Promise<Facts> {
    const site = await findSite(tx, accountId, gwid);
    return {
      site,
      published: site && (await publishedOf(tx, templates, site)),
      edge: await gateways.facts(tx, accountId, gwid),
      ...(await gateways.abilities(tx, accountId, gwid)),
      signIns: await signInsOf(tx, { accountId, gwid }, new Date(clock.now().getTime() - 86_400_000)),
      nas: await nasStates(tx, accountId, gwid),
      settingsChanged: site !== null && (await sites.settingsChanged(tx, site)),
    };
  }

  /** Of managed access points. */
  async function gatesOf(tx: Tx, { accountId, gwid }: SiteKey, site: SiteTable | null) {
    if (!site?.enabled || !isManaged(site)) return [];
    const redirects = await redirectsOf(tx, { accountId, gwid });
    const speaking = new Map((await speakingDevices(tx, accountId, gwid)).map(({ serial, at }) => [serial, at]));
    return (await accessPoints.states(tx, accountId, gwid)).map((gate) =>
      checkGate(gate, {
        redirect: redirects.get(gate.serial) ?? null,
        radius: speaking.get(gate.serial) ?? null,
      }),
    );
  }

  /** openNDS lets guests through to the address that its settings have. */
  async function moved({ site }: Facts): Promise<Found | null> {
    if (!site?.gateway.startsWith('opennds') || site.shown_addresses.length === 0) return null;
    const addresses = await sites.addressesNow();
    const isSame = addresses.length === 0 || addresses.includes(site.shown_addresses[0]!);
    return isSame ? null : wrong('address_moved', addresses[0]!);
  }

  /** Only the own gateway can be asked. */
  async function resolved(key: SiteKey, gateway: PortalGateway, hosts: readonly string[]): Promise<Found> {
    const names = hosts.filter((host) => !isIPv4(host)).slice(0, maxNames);
    if (gateway !== 'edge') return unknown('by_hand');
    for (const name of names) {
      const answer = await gateways.resolves(key, name);
      if (answer === null) return unknown('no_answer');
      if (!answer) return wrong('unresolved', name);
    }
    return fine;
  }

  async function reached(key: SiteKey, { site, connects }: Facts): Promise<Found> {
    if (site?.gateway !== 'edge') return unknown('by_hand');
    if (!connects) return unknown('old_agent');
    const { hostname, port, protocol, host } = new URL(origin());
    const reach = await gateways.reaches(key, hostname, Number(port) || (protocol === 'https:' ? 443 : 80));
    if (reach === null) return unknown('no_answer');
    if (reach === 'unresolved') return wrong('unresolved', hostname);
    return reach === 'open' ? fine : wrong('port_closed', host);
  }

  /** Without a provider, messages only go to a file on the server. */
  async function messagesOf({ published }: Facts): Promise<Found> {
    const channels = published?.content.methods.flatMap(({ kind }) => methodNamed(kind)?.sends ?? []) ?? [];
    if (channels.includes('sms') && (await outbox.toFile('sms'))) return wrong('sms_to_file');
    if (channels.includes('email') && (await outbox.toFile('email'))) return wrong('mail_to_file');
    return channels.length > 0 ? fine : unneeded;
  }

  return async function check(
    inTenant: InTenant,
    accountId: string,
    { gwid }: InputOf<Contract['check']>,
  ): Promise<DataOf<Contract['check']>> {
    const key = { accountId, gwid };
    const { facts, gates } = await inTenant(async (tx) => {
      const found = await read(tx, key);
      return { facts: found, gates: await gatesOf(tx, key, found.site) };
    });
    const gateway = facts.site?.gateway ?? 'edge';
    const capture = captureOf(facts, clock.now());
    const asks = capture.finding !== 'page_off' && capture.finding !== 'unable';
    const hosts = facts.published ? whitelistHosts(facts.published.content) : [];
    const dns = asks
      ? ((await moved(facts)) ?? (await resolved(key, gateway, [new URL(origin()).hostname])))
      : unknown('no_answer');
    const found: Record<Check['step'], Found> = {
      capture,
      dns,
      port: asks ? await reached(key, facts) : unknown('no_answer'),
      payment: await paymentOf(facts),
      messages: await messagesOf(facts),
      grant: grantOf(facts.signIns),
      radius: byRadius.has(gateway) ? radiusOf(facts) : unneeded,
      garden:
        asks && facts.settingsChanged
          ? wrong('settings_changed')
          : await gardenOf(hosts, gateway, () => (asks ? resolved(key, gateway, hosts) : unknown('no_answer'))),
    };
    const steps = ['capture', 'dns', 'port', 'garden', 'payment', 'messages', 'grant', 'radius'] as const;
    return {
      checks: steps.map((step) => ({ step, ...found[step] })),
      access_points: gates,
      exempt: [...exemptOf(facts.site)].map(([device, remark]) => ({ device, remark })),
    };
  };
}

function captureOf({ site, published, edge, signIns }: Facts, now: Date): Found {
  if (!site?.enabled) return wrong('page_off');
  if (!published) return wrong('no_template');
  if (site.gateway === 'edge') {
    if (edge.reason !== null) return wrong('unable');
    if (needsRanges(site) && edge.lacks.includes('ranges_version')) return wrong('ranges_version');
    const lost = lostSsid(site, edge);
    if (lost !== null) return wrong('ssid_lost', lost);
    const ranged = rangedSsid(site, edge);
    if (ranged !== null) return wrong('range_of_ssid', ranged);
    const stray = strayRange(site, edge);
    if (stray !== null) return wrong('range_outside', stray);
    return edge.in_force ? fine : wrong('not_in_force');
  }
  const { unverified, granted } = signIns;
  if (unverified && (!granted || granted < unverified)) return wrong(isManaged(site) ? 'other_secret' : 'wrong_secret');
  if (!site.seen_at) return isManaged(site) ? unknown('no_redirect') : wrong('never_seen');
  const polls = adapters[site.gateway].reportsBy === 'polling';
  return polls && now.getTime() - site.seen_at.getTime() > silentMs ? wrong('silent') : fine;
}

async function gardenOf(
  hosts: readonly string[],
  gateway: PortalGateway,
  resolve: () => Found | Promise<Found>,
): Promise<Found> {
  if (hosts.length === 0) return unneeded;
  if (gateway === 'edge' && hosts.length > edgeCaptiveLimits.garden) return wrong('garden_cut');
  return resolve();
}

function grantOf({ granted, not_taken: notTaken }: SignIns): Found {
  if (notTaken && (!granted || granted < notTaken)) return wrong('not_taken');
  return granted ? fine : unknown('no_sign_in');
}

function radiusOf({ nas, site }: Facts): Found {
  if (nas.length === 0) return wrong('no_nas');
  const isRefused = ({ refused_at: refused, last_seen_at: seen }: NasState) => refused && (!seen || seen < refused);
  if (nas.some(isRefused)) return wrong('nas_refused');
  if (nas.every(({ last_seen_at: seen }) => seen === null))
    return unknown(site && isManaged(site) ? 'no_redirect' : 'nas_never');
  return nas.some(({ accepted, accounted }) => accepted > 0 && accounted === 0) ? wrong('no_accounting') : fine;
}

async function signInsOf(tx: Tx, { accountId, gwid }: SiteKey, from: Date): Promise<SignIns> {
  const { rows } = await sql<SignIns>`
    select (select max(granted_at) from portal_session
        where account_id = ${accountId} and gwid = ${gwid} and granted_at >= ${from}) as granted,
      (select max(ended_at) from portal_session
        where account_id = ${accountId} and gwid = ${gwid} and ended_at >= ${from} and end_reason = 'not_taken'
        and moved_from is null) as not_taken,
      (select max(at) from portal_visit
        where account_id = ${accountId} and gwid = ${gwid} and at >= ${from} and failure = 'unverified') as unverified`.execute(
    tx,
  );
  return rows[0]!;
}
