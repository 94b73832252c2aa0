import type { portal as contract, DataOf, PortalContent } from '@yunxun/contract';
import type { UamCaptive } from '@yunxun/contract/device';
import type { Acting } from '../../../platform/acting.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { invalid } from '../../../platform/failure.ts';
import type { Configuration, GuestGate } from '../../configuration/index.ts';
import type { ManagedNas } from '../../radius/index.ts';
import type { RadiusAddress } from '../radius-address.ts';
import { silence } from '../session-ends.ts';
import { uamCaptive } from '../settings/uam-captive.ts';
import type { SiteTable } from '../tables.ts';
import type { SiteKey } from '../visit-store.ts';
import { openPayHosts, whitelistHosts } from '../whitelist.ts';

type Contract = typeof contract;
type Choice = DataOf<Contract['site']>['wireless'];

export interface AccessPointDeps {
  configuration: Pick<Configuration, 'guestGates'>;
  nases: ManagedNas;
  origin(): string;
  radius: Pick<RadiusAddress, 'host'>;
  payHosts(): string[];
}

export type ChosenSsids = Pick<SiteTable, 'ssid_ids' | 'ssid_names'>;

/** In documents only: frames need no port. */
const radiusPorts = { auth: 1812, acct: 1813 } as const;

export const byHand: ChosenSsids = { ssid_ids: null, ssid_names: null };

export const isManaged = ({ gateway, ssid_ids: ids }: Pick<SiteTable, 'gateway' | 'ssid_ids'>): boolean =>
  gateway === 'uam' && ids !== null;

export function createAccessPoints({ configuration, nases, origin, radius, payHosts }: AccessPointDeps) {
  const { guestGates } = configuration;

  function captiveOf(key: string, secrets: { uam: string; radius: string }, hosts: readonly string[]): UamCaptive {
    const server = (port: number) => ({ host: radius.host, port, secret: secrets.radius });
    return {
      ...uamCaptive({
        origin: origin(),
        key,
        secret: secrets.uam,
        open: [new URL(origin()).hostname, ...hosts],
        auth: server(radiusPorts.auth),
        acct: server(radiusPorts.acct),
      }),
      // a phone that sleeps shorter need not sign in again
      'idle-timeout': silence.reported * 60,
      'radius-gw-proxy': true,
    };
  }

  async function gateOf(tx: Tx, site: SiteTable, secret: string, content: PortalContent): Promise<GuestGate | null> {
    const { account_id: accountId, gwid, key, ssid_ids: ids, ssid_names: names } = site;
    const own = (await nases.secretsOf(tx, accountId, [gwid])).get(gwid);
    if (!isManaged(site) || own === undefined) return null;
    const open = [...whitelistHosts(content), ...openPayHosts(content, site, payHosts())];
    const ssids = ids!.map((id, at) => ({ id, name: names![at]! }));
    return { ssids, captive: captiveOf(key, { uam: secret, radius: own }, open), secret: own };
  }

  return {
    gateOf,

    /** @throws Invalid for unknown SSIDs, and those that cannot have the sign-in together */
    async choose(tx: Tx, { accountId, gwid }: SiteKey, ids: readonly string[]): Promise<ChosenSsids> {
      const known = await guestGates.ssids(tx, accountId, gwid);
      const chosen = ids.map((id, at) => {
        const ssid = known.find((one) => one.id === id);
        return ssid ?? invalid(`access_points.ssids.${at}`, 'validation.choice');
      });
      const keyed = chosen.findIndex(({ obstacle }) => obstacle !== null);
      if (keyed >= 0) invalid(`access_points.ssids.${keyed}`, 'validation.captive_keys');
      const other = chosen.findIndex(({ vlan }) => vlan !== chosen[0]!.vlan);
      if (other >= 0) invalid(`access_points.ssids.${other}`, 'validation.captive_second');
      return { ssid_ids: chosen.map(({ id }) => id), ssid_names: chosen.map(({ name }) => name) };
    },

    async choice(tx: Tx, { accountId, gwid }: SiteKey): Promise<Choice> {
      const ssids = await guestGates.ssids(tx, accountId, gwid);
      return { ssids, ...(await guestGates.able(tx, accountId, gwid)) };
    },

    async follow(tx: Tx, acting: Acting, site: SiteTable): Promise<void> {
      const { gwid, key } = site;
      if (isManaged(site)) await nases.ensure(tx, acting, { name: `portal ${key.slice(0, 8)}`, gwid, identifier: key });
      else await nases.remove(tx, acting, gwid);
    },

    /** `own`: of a site whose access points have the sign-in already, so that what stays shows no change. */
    async preview(
      tx: Tx,
      { accountId, gwid }: SiteKey,
      ids: readonly string[],
      content: PortalContent,
      own: { site: SiteTable; secret: string } | null,
    ) {
      const known = await guestGates.ssids(tx, accountId, gwid);
      const ssids = known.filter(({ id }) => ids.includes(id)).map(({ id, name }) => ({ id, name }));
      // secrets are masked, so any do
      const secret = 'not made yet';
      const fresh = { captive: captiveOf(gwid, { uam: secret, radius: secret }, whitelistHosts(content)), secret };
      const gate = (own && (await gateOf(tx, own.site, own.secret, content))) ?? fresh;
      return guestGates.preview(tx, accountId, gwid, { ...gate, ssids });
    },

    states: guestGates.states,

    push: guestGates.push,
  };
}

export type PortalAccessPoints = ReturnType<typeof createAccessPoints>;
