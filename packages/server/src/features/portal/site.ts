import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type portal as contract, type DataOf, type InputOf, networksOf } from '@yunxun/contract';
import type { EdgeCaptive } from '@yunxun/contract/device';
import { readAddress } from '@yunxun/contract/ipv4';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { accounts } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import type { EdgeGateways } from './edge-gateway.ts';
import { captiveSection } from './edge-section.ts';
import { gatewaySettings } from './gateway-settings.ts';
import { publishedOf } from './published.ts';
import type { RadiusAddress } from './radius-address.ts';
import { randomName } from './secrets.ts';
import { endOpen, enqueueSessionEnds } from './session-ends.ts';
import { findSite, insertKey, keyOf, lockSite, saveSite, sitesOf, sitesOfTemplates } from './site-store.ts';
import type { SiteTable } from './tables.ts';
import type { PortalTemplates } from './templates.ts';

type Contract = typeof contract;

export interface SiteDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  templates: PortalTemplates;
  /** As gateways and guests reach it. */
  origin(): string;
  radius: RadiusAddress;
  gateways: Pick<EdgeGateways, 'facts' | 'abilities' | 'push'>;
}

type Captive = DataOf<Contract['site']>['site']['captive'];
type CaptiveColumns = Pick<SiteTable, 'captive_lans' | 'exempt_macs' | 'exempt_addresses'>;

const captiveOf = ({ captive_lans: lans, exempt_macs, exempt_addresses }: CaptiveColumns): Captive => ({
  lans,
  exempt_macs,
  exempt_addresses,
});
const columnsOf = ({ lans, exempt_macs, exempt_addresses }: Captive): CaptiveColumns => ({
  captive_lans: lans,
  exempt_macs,
  exempt_addresses,
});

const contextOf = (gwid: string) => `portal secret ${gwid}`;

export async function openSecret(tx: Tx, keys: AccountKeys, { account_id, gwid, secret }: SiteTable): Promise<string> {
  return (await keys.of(tx, account_id)).open(secret, contextOf(gwid)).toString();
}

/** 0.0.0.0/8, loopback, multicast and above belong to no client. */
function isClientAddress(text: string): boolean {
  const first = (readAddress(text) ?? 0) >>> 24;
  return first > 0 && first < 224 && first !== 127;
}

/** IEEE 802: the lowest bit of the first octet marks groups. */
const isClientMac = (mac: string) => /^[0-9a-f][02468ace]:/.test(mac) && mac !== '00:00:00:00:00:00';

const usualGateway = ({ reason }: { reason: unknown }) => (reason === null ? 'edge' : 'opennds_3');

const noCaptive = { captive_lans: [], exempt_macs: [], exempt_addresses: [] };

export function createSites({ database, clock, keys, templates, origin, radius, gateways }: SiteDeps) {
  async function sealNew(tx: Tx, accountId: string, gwid: string) {
    // 32 characters: AES-256 key length, valid in shell quotes and JSON
    const clear = randomBytes(24).toString('base64url');
    return { clear, sealed: (await keys.of(tx, accountId)).seal(clear, contextOf(gwid)) };
  }

  async function about(tx: Tx, accountId: string, gwid: string) {
    const name = (await fleetNetworks.names(tx, accountId, [gwid])).get(gwid) ?? gwid;
    return { object: { type: 'portal' as const, id: gwid, name }, gwid };
  }

  /** Returns null for an edge gateway, which gets a push. */
  async function settingsOf(tx: Tx, site: SiteTable, secret: string): Promise<string | null> {
    const { gateway, key } = site;
    if (gateway === 'edge') return null;
    const published = await publishedOf(tx, templates, site);
    return gatewaySettings(origin(), { gateway, key }, secret, published?.content ?? null, radius);
  }

  async function sectionOf(tx: Tx, site: SiteTable | null): Promise<EdgeCaptive | null> {
    if (!site?.enabled || site.gateway !== 'edge' || site.captive_lans.length === 0) return null;
    const published = await publishedOf(tx, templates, site);
    if (!published) return null;
    const { account_id: accountId, gwid } = site;
    const { content } = published;
    const { opensAway, namesClients } = await gateways.abilities(tx, accountId, gwid);
    const zone = content.away === 'open' && opensAway ? (await accounts.accountOf(tx, accountId)).time_zone : null;
    return captiveSection(origin(), site, await openSecret(tx, keys, site), content, { zone, namesClients });
  }

  /** Ends them at the gateway too, which is the one of before. */
  async function endSessions(tx: Tx, { account_id: accountId, gwid, gateway }: SiteTable): Promise<void> {
    const ids = await endOpen(tx, { accountId, gwid }, clock.now(), 'site_off');
    await enqueueSessionEnds(tx, { accountId, gwid, gateway, ids });
  }

  /** @throws Invalid if the edge gateway cannot do this */
  async function checkEdge(tx: Tx, { account_id: accountId, gwid, ...site }: SiteTable): Promise<void> {
    const { reason, lans } = await gateways.facts(tx, accountId, gwid);
    if (reason) invalid('gateway', 'validation.noCaptive');
    if (site.captive_lans.length === 0) invalid('captive.lans', 'validation.required');
    const unknown = site.captive_lans.find((name) => !lans.some((lan) => lan.name === name));
    if (unknown !== undefined) invalid('captive.lans', 'validation.unknownLan', { name: unknown });
    const wrong = site.exempt_addresses.findIndex((text) => !isClientAddress(text));
    if (wrong >= 0) invalid(`captive.exempt_addresses.${wrong}`, 'validation.ip');
    const group = site.exempt_macs.findIndex((mac) => !isClientMac(mac));
    if (group >= 0) invalid(`captive.exempt_macs.${group}`, 'validation.mac');
  }

  return {
    async get(tx: Tx, { accountId, actor }: Acting, gwid: string): Promise<DataOf<Contract['site']>> {
      const site = await findSite(tx, accountId, gwid);
      const found = site && (await publishedOf(tx, templates, site));
      const edge = await gateways.facts(tx, accountId, gwid);
      return {
        site: {
          enabled: site?.enabled ?? false,
          template: found ? { id: found.id, name: found.name, version: found.version } : null,
          gateway: site?.gateway ?? usualGateway(edge),
          url: site && `${origin()}/p/${site.key}/`,
          seen_at: site?.seen_at?.toISOString() ?? null,
          captive: captiveOf(site ?? noCaptive),
        },
        edge,
        // limited callers see templates in use only
        templates: actor && networksOf(actor) ? [] : await templates.published(tx, accountId),
      };
    },

    async captiveOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<ReadonlyMap<string, EdgeCaptive>> {
      const found = new Map<string, EdgeCaptive>();
      if (gwids.length === 0) return found;
      for (const site of await sitesOf(tx, accountId, gwids)) {
        const section = await sectionOf(tx, site);
        if (section) found.set(site.gwid, section);
      }
      return found;
    },

    /** Pushes to edge gateways; null without one. */
    async whitelistChanged(tx: Tx, acting: Acting, templateId: string): Promise<string | null> {
      const rows = await sitesOfTemplates(tx, acting.accountId, [templateId]);
      const edges = rows.filter(({ gateway, enabled }) => gateway === 'edge' && enabled);
      return gateways.push(
        tx,
        acting,
        edges.map(({ gwid }) => gwid),
      );
    },

    async templateSites(tx: Tx, accountId: string, ids: readonly string[]) {
      const rows = await sitesOfTemplates(tx, accountId, ids);
      const names = await fleetNetworks.names(
        tx,
        accountId,
        rows.map(({ gwid }) => gwid),
      );
      const found = new Map<string, { gwid: string; name: string }[]>();
      for (const { gwid, template_id: id } of rows)
        found.set(id!, [...(found.get(id!) ?? []), { gwid, name: names.get(gwid) ?? gwid }]);
      return found;
    },

    /** @throws Invalid for a template without a published version */
    async save(tx: Tx, acting: Acting, input: InputOf<Contract['siteSave']>): Promise<DataOf<Contract['siteSave']>> {
      const { accountId } = acting;
      const { gwid, captive } = input;
      await lockSite(tx, accountId, gwid);
      const before = await findSite(tx, accountId, gwid, true);
      const { enabled = before?.enabled ?? false, template_id = before?.template_id ?? null } = input;
      const gateway = input.gateway ?? before?.gateway ?? usualGateway(await gateways.facts(tx, accountId, gwid));
      if (template_id !== (before?.template_id ?? null)) requireWholeAccount(acting, 'config.write');
      const published = await publishedOf(tx, templates, { template_id, gwid });
      if (enabled && !published)
        invalid('template_id', template_id === null ? 'validation.required' : 'validation.notPublished');
      const renewed = before?.gateway !== gateway ? await sealNew(tx, accountId, gwid) : null;
      const site: SiteTable = {
        account_id: accountId,
        gwid,
        enabled,
        template_id,
        gateway,
        key: before?.key ?? (await newKey(accountId, gwid)),
        secret: renewed?.sealed ?? before!.secret,
        seen_at: renewed ? null : (before?.seen_at ?? null),
        ...columnsOf({ ...captiveOf(before ?? noCaptive), ...captive }),
      };
      if (enabled && gateway === 'edge') await checkEdge(tx, site);
      const sectionBefore = await sectionOf(tx, before);
      await saveSite(tx, site);
      if (before?.enabled && (!enabled || renewed)) await endSessions(tx, before);
      const isOther = !isDeepStrictEqual(sectionBefore, await sectionOf(tx, site));
      const job_id = isOther ? await gateways.push(tx, acting, [gwid]) : null;
      const shown = (one: SiteTable | null) =>
        one && {
          enabled: one.enabled,
          template_id: one.template_id,
          gateway: one.gateway,
          ...(one.gateway === 'edge' ? captiveOf(one) : {}),
        };
      await record(tx, acting, {
        action: 'portal.save',
        ...(await about(tx, accountId, gwid)),
        before: shown(before),
        after: { ...shown(site), template: published?.name ?? null },
        ...(job_id ? { jobId: job_id } : {}),
      });
      const settings = renewed && (await settingsOf(tx, site, renewed.clear));
      return { secrets: settings === null ? null : { settings }, job_id };
    },

    /** @throws Failure notFound without a portal */
    async renew(tx: Tx, acting: Acting, gwid: string): Promise<DataOf<Contract['secretRenew']>> {
      const { accountId } = acting;
      const before = await findSite(tx, accountId, gwid, true);
      if (!before) throw new Failure('notFound');
      const { clear, sealed } = await sealNew(tx, accountId, gwid);
      const site = { ...before, secret: sealed, seen_at: null };
      await saveSite(tx, site);
      const job_id = (await sectionOf(tx, site)) ? await gateways.push(tx, acting, [gwid]) : null;
      await record(tx, acting, {
        action: 'portal.secret_renew',
        ...(await about(tx, accountId, gwid)),
        command: true,
        ...(job_id ? { jobId: job_id } : {}),
      });
      return { settings: await settingsOf(tx, site, clear), job_id };
    },
  };

  /** Commits alone: only the system role writes the directory. */
  function newKey(accountId: string, gwid: string): Promise<string> {
    return database.withSystem(async (tx) => {
      const known = await keyOf(tx, accountId, gwid);
      if (known) return known;
      const key = randomName();
      await insertKey(tx, key, accountId, gwid);
      return key;
    });
  }
}
