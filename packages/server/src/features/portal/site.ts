import { isDeepStrictEqual } from 'node:util';
import { type portal as contract, type DataOf, type InputOf, networksOf } from '@yunxun/contract';
import type { EdgeCaptive } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { GuestGate } from '../configuration/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { accounts } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { byHand, type ChosenSsids, isManaged, type PortalAccessPoints } from './access-points/access-points.ts';
import { forgetRedirects } from './access-points/redirect-store.ts';
import { captiveOf, capturedLans, checkCaptive, columnsOf, noCaptive } from './captive/range.ts';
import type { EdgeGateways } from './edge-gateway.ts';
import { captiveSection } from './edge-section.ts';
import { type Published, publishedOf, publishedOfSites } from './published.ts';
import { randomName } from './secrets.ts';
import { endOpen, enqueueSessionEnds } from './session-ends.ts';
import {
  createSiteSettings,
  isPushed,
  openSecrets,
  type SiteSettingsDeps,
  sealNewSecret,
} from './settings/site-settings.ts';
import {
  endOldSecret,
  findSite,
  insertKey,
  keyOf,
  lockSite,
  saveSite,
  sitesOf,
  sitesOfTemplates,
} from './site-store.ts';
import type { SiteTable } from './tables.ts';

type Contract = typeof contract;

export interface SiteDeps extends SiteSettingsDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  gateways: Pick<EdgeGateways, 'facts' | 'choice' | 'abilities' | 'push'>;
  accessPoints: PortalAccessPoints;
}

const usualGateway = ({ reason }: { reason: unknown }) => (reason === null ? 'edge' : 'opennds_3');

interface Controlled {
  edge: EdgeCaptive | null;
  gate: GuestGate | null;
}

const noOldSecret = { old_secret: null, old_secret_since: null };

export function createSites(deps: SiteDeps) {
  const { database, clock, keys, templates, origin, gateways, accessPoints } = deps;
  const settings = createSiteSettings(deps);

  async function about(tx: Tx, accountId: string, gwid: string) {
    const name = (await fleetNetworks.names(tx, accountId, [gwid])).get(gwid) ?? gwid;
    return { object: { type: 'portal' as const, id: gwid, name }, gwid };
  }

  async function sectionOf(tx: Tx, site: SiteTable | null): Promise<EdgeCaptive | null> {
    if (!site?.enabled || site.gateway !== 'edge') return null;
    const { account_id: accountId, gwid } = site;
    const asks = site.captive_ssids.length > 0;
    const lans = capturedLans(site, asks ? (await gateways.choice(tx, accountId, gwid)).ssids : []);
    const published = lans.length === 0 ? null : await publishedOf(tx, templates, site);
    if (!published) return null;
    const { content } = published;
    const { opensAway, namesClients } = await gateways.abilities(tx, accountId, gwid);
    const zone = content.away === 'open' && opensAway ? (await accounts.accountOf(tx, accountId)).time_zone : null;
    const { secret } = await openSecrets(tx, keys, site);
    return captiveSection(origin(), site, lans, secret, content, { zone, namesClients, payHosts: deps.payHosts() });
  }

  async function gateOf(tx: Tx, site: SiteTable | null): Promise<GuestGate | null> {
    if (!site?.enabled || !isManaged(site)) return null;
    return gateWith(tx, site, await publishedOf(tx, templates, site));
  }

  const gateWith = async (tx: Tx, site: SiteTable, published: Published | null | undefined) =>
    published ? accessPoints.gateOf(tx, site, (await openSecrets(tx, keys, site)).secret, published.content) : null;

  async function pushChanged(tx: Tx, acting: Acting, site: SiteTable, before: Controlled): Promise<string | null> {
    const { edge, gate } = await controlledBy(tx, site);
    const gwids = [site.gwid];
    const atAccessPoints = isDeepStrictEqual(before.gate, gate) ? null : await accessPoints.push(tx, acting, gwids);
    const atGateway = isDeepStrictEqual(before.edge, edge) ? null : await gateways.push(tx, acting, gwids);
    return atAccessPoints ?? atGateway;
  }

  const controlledBy = async (tx: Tx, site: SiteTable | null): Promise<Controlled> => ({
    edge: await sectionOf(tx, site),
    gate: await gateOf(tx, site),
  });

  async function ssidsOf(
    tx: Tx,
    { accountId, gwid }: { accountId: string; gwid: string },
    gateway: SiteTable['gateway'],
    given: InputOf<Contract['siteSave']>['access_points'],
    before: SiteTable | null,
  ): Promise<ChosenSsids> {
    if (given && gateway !== 'uam') invalid('access_points', 'validation.choice');
    if (gateway !== 'uam' || given === null) return byHand;
    if (given) return accessPoints.choose(tx, { accountId, gwid }, given.ssids);
    return before?.gateway === 'uam' ? { ssid_ids: before.ssid_ids, ssid_names: before.ssid_names } : byHand;
  }

  /** Ends them at the gateway too, which is the one of before. */
  async function endSessions(tx: Tx, { account_id: accountId, gwid, gateway }: SiteTable): Promise<void> {
    const ids = await endOpen(tx, { accountId, gwid }, clock.now(), 'site_off');
    await enqueueSessionEnds(tx, { accountId, gwid, gateway, ids });
  }

  /** @throws Invalid if the edge gateway cannot do this */
  async function checkEdge(tx: Tx, site: SiteTable): Promise<void> {
    const { reason, lacks, ...choice } = await gateways.facts(tx, site.account_id, site.gwid);
    if (reason) invalid('gateway', 'validation.noCaptive');
    checkCaptive(site, choice, !lacks.includes('ranges_version'));
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
          old_secret_since: site?.old_secret_since?.toISOString() ?? null,
          settings_changed: site !== null && (await settings.changed(tx, site)),
          captive: captiveOf(site ?? noCaptive),
          access_points: site?.ssid_ids ? { ssids: site.ssid_ids } : null,
          pay_hosts: site?.pay_hosts ?? false,
        },
        edge,
        wireless: await accessPoints.choice(tx, { accountId, gwid }),
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

    async guestGatesOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<ReadonlyMap<string, GuestGate>> {
      const found = new Map<string, GuestGate>();
      if (gwids.length === 0) return found;
      const sites = (await sitesOf(tx, accountId, gwids)).filter((site) => site.enabled && isManaged(site));
      const published = await publishedOfSites(tx, templates, sites);
      for (const site of sites) {
        const gate = await gateWith(tx, site, published.get(site.gwid));
        if (gate) found.set(site.gwid, gate);
      }
      return found;
    },

    /** @throws Invalid for a template without a published version */
    async preview(tx: Tx, acting: Acting, input: InputOf<Contract['accessPointPreview']>) {
      const { accountId } = acting;
      const { gwid, template_id, ssids } = input;
      // the documents show its whitelist
      const site = await findSite(tx, accountId, gwid);
      if (template_id !== site?.template_id) requireWholeAccount(acting, 'config.write');
      const published = await publishedOf(tx, templates, { template_id, gwid });
      if (!published) invalid('template_id', 'validation.notPublished');
      const own = site && isManaged(site) ? { site, secret: (await openSecrets(tx, keys, site)).secret } : null;
      return accessPoints.preview(tx, { accountId, gwid }, ssids, published.content, own);
    },

    async whitelistChanged(tx: Tx, acting: Acting, templateId: string): Promise<string | null> {
      const rows = await sitesOfTemplates(tx, acting.accountId, [templateId]);
      const used = rows.filter(({ enabled }) => enabled);
      const edges = used.filter(({ gateway }) => gateway === 'edge').map(({ gwid }) => gwid);
      const managed = used.filter(isManaged).map(({ gwid }) => gwid);
      const jobId = managed.length > 0 ? await accessPoints.push(tx, acting, managed) : null;
      return (await gateways.push(tx, acting, edges)) ?? jobId;
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

    addressesNow: settings.addressesNow,
    settingsChanged: settings.changed,

    /** @throws Invalid for a template without a published version */
    async save(
      tx: Tx,
      acting: Acting,
      input: InputOf<Contract['siteSave']>,
      addresses: string[],
    ): Promise<DataOf<Contract['siteSave']>> {
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
      const chosen = await ssidsOf(tx, { accountId, gwid }, gateway, input.access_points, before);
      const isSame = before?.gateway === gateway && isManaged(before) === isManaged({ gateway, ...chosen });
      const renewed = isSame ? null : await sealNewSecret(tx, keys, { accountId, gwid });
      const named = captive?.ssids ? (await gateways.choice(tx, accountId, gwid)).ssids : [];
      const site: SiteTable = {
        account_id: accountId,
        gwid,
        enabled,
        template_id,
        gateway,
        key: before?.key ?? (await newKey(accountId, gwid)),
        secret: renewed?.sealed ?? before!.secret,
        seen_at: renewed ? null : (before?.seen_at ?? null),
        ...(renewed || !before
          ? noOldSecret
          : { old_secret: before.old_secret, old_secret_since: before.old_secret_since }),
        shown_addresses: before?.shown_addresses ?? [],
        shown_hash: renewed ? null : (before?.shown_hash ?? null),
        moves_until: before?.moves_until ?? null,
        pay_hosts: input.pay_hosts ?? before?.pay_hosts ?? false,
        ...columnsOf(before ?? noCaptive, captive ?? {}, named),
        ...chosen,
      };
      if (enabled && gateway === 'edge') await checkEdge(tx, site);
      const controlled = await controlledBy(tx, before);
      await saveSite(tx, site);
      await accessPoints.follow(tx, acting, site);
      if (renewed) await forgetRedirects(tx, { accountId, gwid });
      if (before?.enabled && (!enabled || renewed)) await endSessions(tx, before);
      const job_id = await pushChanged(tx, acting, site, controlled);
      const shown = (one: SiteTable | null) =>
        one && {
          enabled: one.enabled,
          template_id: one.template_id,
          gateway: one.gateway,
          pay_hosts: one.pay_hosts,
          ...(one.gateway === 'edge' ? { ...captiveOf(one), ssids: one.captive_ssid_names } : {}),
          ...(one.ssid_names ? { ssids: one.ssid_names } : {}),
        };
      await record(tx, acting, {
        action: 'portal.save',
        ...(await about(tx, accountId, gwid)),
        before: shown(before),
        after: { ...shown(site), template: published?.name ?? null },
        ...(job_id ? { jobId: job_id } : {}),
      });
      const shownNow = renewed && (await settings.show(tx, site, renewed.clear, addresses));
      return { secrets: shownNow === null ? null : { settings: shownNow }, job_id };
    },

    /** @throws Failure notFound without a portal */
    async renew(tx: Tx, acting: Acting, gwid: string, addresses: string[]): Promise<DataOf<Contract['secretRenew']>> {
      const { accountId } = acting;
      const before = await findSite(tx, accountId, gwid, true);
      if (!before) throw new Failure('notFound');
      const { clear, sealed } = await sealNewSecret(tx, keys, { accountId, gwid });
      // no gateway has a secret that was never used
      const used = before.old_secret ?? (before.seen_at && before.gateway !== 'mikrotik' ? before.secret : null);
      const old = used ? { old_secret: used, old_secret_since: clock.now() } : noOldSecret;
      const site = { ...before, secret: sealed, ...old };
      const controlled = await controlledBy(tx, before);
      await saveSite(tx, site);
      await forgetRedirects(tx, { accountId, gwid });
      const job_id = await pushChanged(tx, acting, site, controlled);
      await record(tx, acting, {
        action: 'portal.secret_renew',
        ...(await about(tx, accountId, gwid)),
        command: true,
        ...(job_id ? { jobId: job_id } : {}),
      });
      return { settings: await settings.show(tx, site, clear, addresses), job_id };
    },

    /** @throws Failure notFound without a portal */
    async endOld(tx: Tx, acting: Acting, gwid: string): Promise<DataOf<Contract['secretEnd']>> {
      const site = await findSite(tx, acting.accountId, gwid, true);
      if (!site) throw new Failure('notFound');
      await endOldSecret(tx, site);
      await record(tx, acting, {
        action: 'portal.secret_end',
        ...(await about(tx, acting.accountId, gwid)),
        command: true,
      });
      return {};
    },

    /** @throws Failure notFound without settings to enter */
    async reveal(
      tx: Tx,
      acting: Acting,
      gwid: string,
      addresses: string[],
    ): Promise<DataOf<Contract['settingsReveal']>> {
      const site = await findSite(tx, acting.accountId, gwid, true);
      if (!site || isPushed(site)) throw new Failure('notFound');
      const { secret } = await openSecrets(tx, keys, site);
      const shown = (await settings.show(tx, site, secret, addresses))!;
      await record(tx, acting, {
        action: 'portal.settings_reveal',
        ...(await about(tx, acting.accountId, gwid)),
        command: true,
      });
      return { settings: shown };
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

export type Sites = ReturnType<typeof createSites>;
