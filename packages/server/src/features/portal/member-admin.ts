import { portal as contract, type InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { hashPassword } from '../../platform/crypto/password.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { InTenant } from '../../platform/http/call.ts';
import { record } from '../logs/index.ts';
import { countMembers, deleteMembers, findMember, findMemberByName } from './member-store.ts';
import { sealMemberPassword } from './radius/member-radius.ts';
import { voidMembers } from './radius/proof-voids.ts';
import { type RealName, sealRealName } from './real-name.ts';
import { findSite } from './site-store.ts';
import { portal } from './tables.ts';

type Contract = typeof contract;

/** Hashes passwords before transactions. */
export function createMemberAdmin({ clock, keys }: { clock: Clock; keys: AccountKeys }) {
  const about = (id: string, name: string) => ({ object: { type: 'portal_member' as const, id, name } });
  const sealed = (tx: Tx, accountId: string, id: string, real: RealName | null | undefined) =>
    real ? sealRealName(tx, keys, accountId, id, real) : null;
  return {
    /** @throws Failure notFound without a portal, nameExists, limitReached; Invalid */
    async create(
      inTenant: InTenant,
      acting: Acting,
      input: InputOf<Contract['memberCreate']>,
    ): Promise<{ id: string }> {
      const { gwid, name, enabled, until, devices, real, radius = false } = input;
      const site = { accountId: acting.accountId, gwid };
      if (until !== null && new Date(until) <= clock.now()) invalid('until', 'validation.future');
      const password_hash = await hashPassword(input.password);
      return inTenant(async (tx) => {
        // concurrent calls cannot exceed the limit
        if (!(await findSite(tx, site.accountId, gwid, true))) throw new Failure('notFound');
        if (await findMemberByName(tx, site, name)) throw new Failure('nameExists');
        const used = await countMembers(tx, site);
        const limit = contract.guestLimits.members;
        if (used >= limit) throw new Failure('limitReached', { data: { limit, used }, params: { limit, used } });
        const id = newId(clock.now().getTime());
        await portal(tx)
          .insertInto('portal_member')
          .values({
            account_id: site.accountId,
            id,
            gwid,
            name,
            password_hash,
            enabled,
            devices,
            last_at: null,
            until: until === null ? null : new Date(until),
            real_sealed: await sealed(tx, site.accountId, id, real),
            radius_sealed: radius ? await sealMemberPassword(tx, keys, site.accountId, id, input.password) : null,
          })
          .execute();
        await record(tx, acting, {
          action: 'portal_member.create',
          ...about(id, name),
          gwid,
          after: { name, enabled, until, devices, real_name: !!real, radius },
        });
        return { id };
      });
    },

    /** @throws Failure notFound; Invalid */
    async save(inTenant: InTenant, acting: Acting, input: InputOf<Contract['memberSave']>): Promise<object> {
      const { gwid, id, password, real } = input;
      const site = { accountId: acting.accountId, gwid };
      const password_hash = password === undefined ? null : await hashPassword(password);
      return inTenant(async (tx) => {
        const before = await findMember(tx, site, id);
        if (!before) throw new Failure('notFound');
        const realSealed = await sealed(tx, site.accountId, id, real);
        const radius = input.radius ?? before.radius_sealed !== null;
        const kept = radius ? before.radius_sealed : null;
        if (radius && !kept && password === undefined) invalid('password', 'validation.required');
        const radius_sealed =
          radius && password !== undefined ? await sealMemberPassword(tx, keys, site.accountId, id, password) : kept;
        const { enabled = before.enabled, devices = before.devices } = input;
        const { until = before.until?.toISOString() ?? null } = input;
        const change = { enabled, devices, until: until === null ? null : new Date(until), radius_sealed };
        await portal(tx)
          .updateTable('portal_member')
          .set({ ...change, ...(password_hash && { password_hash }) })
          .$if(real !== undefined, (update) => update.set({ real_sealed: realSealed }))
          .where('account_id', '=', site.accountId)
          .where('id', '=', id)
          .execute();
        voidMembers(tx, site.accountId, [id]);
        await record(tx, acting, {
          action: 'portal_member.save',
          ...about(id, before.name),
          gwid,
          before: {
            enabled: before.enabled,
            until: before.until?.toISOString() ?? null,
            devices: before.devices,
            radius: before.radius_sealed !== null,
          },
          after: {
            enabled,
            until,
            devices,
            radius,
            password_changed: password_hash !== null,
            real_name_changed: real !== undefined,
          },
        });
        return {};
      });
    },

    async remove(tx: Tx, acting: Acting, { gwid, ids }: InputOf<Contract['memberDelete']>): Promise<object> {
      const gone = await deleteMembers(tx, { accountId: acting.accountId, gwid }, ids);
      for (const { id, name } of gone)
        await record(tx, acting, { action: 'portal_member.delete', ...about(id, name), gwid, before: { name } });
      return {};
    },
  };
}
