import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { EdgeGateways } from './edge-gateway.ts';
import { voidProofs } from './radius/proof-voids.ts';
import { edgeSitesOf } from './site-store.ts';
import type { PortalTemplates } from './templates.ts';

export interface ZoneChangeDeps {
  templates: Pick<PortalTemplates, 'opening'>;
  gateways: Pick<EdgeGateways, 'push' | 'openingAway'>;
}

/** Pushes opening hours to the gateways that keep them; null without one. Asks once for all sites of the account. */
export function createZoneChange({ templates, gateways }: ZoneChangeDeps) {
  return async function zoneChanged(tx: Tx, acting: Acting): Promise<string | null> {
    const { accountId } = acting;
    // opening hours are in the account's zone
    voidProofs(tx, accountId, ['account']);
    const sites = (await edgeSitesOf(tx, accountId)).filter(
      ({ captive_lans: lans, captive_ssids: ssids }) => lans.length + ssids.length > 0,
    );
    const ids = sites.flatMap(({ template_id: id }) => id ?? []);
    const opening = await templates.opening(tx, accountId, [...new Set(ids)]);
    const gwids = sites
      .filter(({ template_id: id }) => {
        const { away, hours = [] } = opening.get(id ?? '') ?? {};
        return away === 'open' && hours.length > 0;
      })
      .map(({ gwid }) => gwid);
    return gateways.push(tx, acting, await gateways.openingAway(tx, accountId, gwids));
  };
}
