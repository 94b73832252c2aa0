import type { portal as contract, DataOf, PasswordPeriod } from '@yunxun/contract';
import type { Acting } from '../../../../platform/acting.ts';
import { addDays, dayOf, startOfDay, weekdayOf } from '../../../../platform/calendar.ts';
import type { Clock } from '../../../../platform/clock.ts';
import { codeOf } from '../../../../platform/crypto/codes.ts';
import type { Tx } from '../../../../platform/database/index.ts';
import { Failure } from '../../../../platform/failure.ts';
import { fleetNetworks } from '../../../fleet/index.ts';
import { accounts } from '../../../identity/index.ts';
import { record } from '../../../logs/index.ts';
import { publishedOf } from '../../published.ts';
import type { PortalSecrets } from '../../secrets.ts';
import { findSite } from '../../site-store.ts';
import type { PortalTemplates } from '../../templates.ts';
import type { SiteKey } from '../../visit-store.ts';

type Contract = typeof contract;

const length = 6;

/** Derived, not stored: equal in all processes, and known before it counts to none. */
export async function dynamicPasswordOf(
  tx: Tx,
  secrets: PortalSecrets,
  { accountId, gwid }: SiteKey,
  { every, now }: { every: PasswordPeriod; now: Date },
): Promise<{ password: string; until: Date }> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const day = dayOf(now, zone);
  const first = every === 'day' ? day : addDays(day, 1 - weekdayOf(day));
  return {
    password: codeOf(secrets.hash(accountId, 'dynamic_password', `${gwid} ${every} ${first}`), length),
    until: startOfDay(addDays(first, every === 'day' ? 1 : 7), zone),
  };
}

/** For the staff of a network. */
export function createDynamicPasswords({
  clock,
  secrets,
  templates,
}: {
  clock: Clock;
  secrets: PortalSecrets;
  templates: PortalTemplates;
}) {
  async function find(tx: Tx, site: SiteKey) {
    const row = await findSite(tx, site.accountId, site.gwid);
    const published = row?.enabled ? await publishedOf(tx, templates, row) : null;
    const method = published?.content.methods.find(({ kind }) => kind === 'dynamic_password');
    if (method?.kind !== 'dynamic_password') return null;
    const { every } = method;
    return { every, ...(await dynamicPasswordOf(tx, secrets, site, { every, now: clock.now() })) };
  }

  return {
    async state(tx: Tx, accountId: string, gwid: string): Promise<DataOf<Contract['dynamicPassword']>> {
      const found = await find(tx, { accountId, gwid });
      return { every: found?.every ?? null, until: found?.until.toISOString() ?? null };
    },

    /** @throws Failure notFound */
    async reveal(tx: Tx, acting: Acting, gwid: string): Promise<DataOf<Contract['dynamicPasswordReveal']>> {
      const site = { accountId: acting.accountId, gwid };
      const found = await find(tx, site);
      if (!found) throw new Failure('notFound');
      const name = (await fleetNetworks.names(tx, acting.accountId, [gwid])).get(gwid) ?? gwid;
      const object = { type: 'network', id: gwid, name } as const;
      await record(tx, acting, { action: 'portal.dynamic_password', object, gwid });
      return { password: found.password, until: found.until.toISOString() };
    },
  };
}
