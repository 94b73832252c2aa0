import { createHash, randomBytes } from 'node:crypto';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Tx } from '../../../platform/database/index.ts';
import type { ResolveHost } from '../../../platform/outgoing/resolve-host.ts';
import { isManaged } from '../access-points/access-points.ts';
import type { GatewaySecrets } from '../adapters/secrets-in-use.ts';
import { publishedOf } from '../published.ts';
import type { RadiusAddress } from '../radius-address.ts';
import { noteShown } from '../site-store.ts';
import type { SiteTable } from '../tables.ts';
import type { PortalTemplates } from '../templates.ts';
import type { SiteKey } from '../visit-store.ts';
import { openPayHosts } from '../whitelist.ts';
import { gatewaySettings } from './gateway-settings.ts';

export interface SiteSettingsDeps {
  templates: PortalTemplates;
  /** As gateways and guests reach it. */
  origin(): string;
  radius: RadiusAddress;
  resolveHost: ResolveHost;
  payHosts(): string[];
}

const contextOf = (gwid: string) => `portal secret ${gwid}`;

export async function sealNewSecret(tx: Tx, keys: AccountKeys, { accountId, gwid }: SiteKey) {
  // 32 characters: AES-256 key length, valid in shell quotes and JSON
  const clear = randomBytes(24).toString('base64url');
  return { clear, sealed: (await keys.of(tx, accountId)).seal(clear, contextOf(gwid)) };
}

export async function openSecrets(
  tx: Tx,
  keys: AccountKeys,
  { account_id, gwid, secret, old_secret: old }: SiteTable,
): Promise<GatewaySecrets> {
  const key = await keys.of(tx, account_id);
  const open = (sealed: Buffer) => key.open(sealed, contextOf(gwid)).toString();
  return { secret: open(secret), oldSecret: old && open(old) };
}

export const isPushed = (site: SiteTable): boolean => site.gateway === 'edge' || isManaged(site);

export function createSiteSettings({ templates, origin, radius, resolveHost, payHosts }: SiteSettingsDeps) {
  async function settingsOf(tx: Tx, site: SiteTable, secret: string, addresses: readonly string[]) {
    const { gateway, key } = site;
    if (gateway === 'edge' || isPushed(site)) return null;
    const published = await publishedOf(tx, templates, site);
    const content = published?.content ?? null;
    const pay = content ? openPayHosts(content, site, payHosts()) : [];
    return gatewaySettings(origin(), { gateway, key }, secret, content, { radius, addresses, pay });
  }

  async function hashOf(tx: Tx, site: SiteTable, addresses: readonly string[]): Promise<Buffer | null> {
    const settings = await settingsOf(tx, site, '', addresses);
    return settings === null ? null : createHash('sha256').update(settings).digest();
  }

  return {
    async show(tx: Tx, site: SiteTable, secret: string, shown_addresses: string[]): Promise<string | null> {
      const settings = await settingsOf(tx, site, secret, shown_addresses);
      await noteShown(tx, site, { shown_addresses, shown_hash: await hashOf(tx, site, shown_addresses) });
      return settings;
    },

    async changed(tx: Tx, site: SiteTable): Promise<boolean> {
      const { shown_hash: shown, shown_addresses: addresses } = site;
      return shown !== null && !(await hashOf(tx, site, addresses))?.equals(shown);
    },

    /** Outside of transactions: it may take seconds. */
    addressesNow: async () => [...(await resolveHost(new URL(origin()).hostname))],
  };
}
