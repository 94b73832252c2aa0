import type { installation } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import { maskLogin } from '../../platform/mask-login.ts';
import { accounts, sessions } from '../identity/index.ts';
import { type Operation, record, recordBoth } from '../logs/index.ts';
import type { InstallationDeps } from './context.ts';

type Parts = Pick<Handlers<typeof installation>, 'accountList' | 'accountLock' | 'accountReset' | 'accountSdwan'>;

const lockPath = '/api/v3/install/account/lock';
const sdwanPath = '/api/v3/install/account/sdwan';

/** Manages accounts, without access inside. */
export function accountHandlers(deps: InstallationDeps): Parts {
  const { database, clock, bus, messages, outbox } = deps;
  const { reset, secondFactor } = deps.identity;

  /** Logs at the administrator and at the account, where undo is impossible. */
  async function log(tx: Tx, acting: Acting, accountId: string, did: Omit<Operation, 'object'>): Promise<void> {
    const { name } = await accounts.accountOf(tx, accountId);
    const operation: Operation = { ...did, object: { type: 'account', id: accountId, name } };
    if (accountId === acting.accountId) return record(tx, acting, operation);
    const { inverse: _ours, ...shown } = operation;
    await recordBoth(tx, [
      [acting, operation],
      [{ ...acting, accountId }, shown],
    ]);
  }

  return {
    accountList: ({ input: { page = 1, limit = 10, sort, order, keyword, locked } }) =>
      database.withSystem(async (tx) => {
        const window = {
          offset: (page - 1) * limit,
          limit,
          byMembers: sort === 'members',
          descending: order !== 'asc',
        };
        const { list, total } = await accounts.listAccounts(tx, { keyword, locked, ...window });
        return {
          list: list.map((row) => ({
            ...row,
            owner: row.owner ?? '',
            created_at: row.created_at.toISOString(),
            last_active_at: row.last_active_at?.toISOString() ?? null,
          })),
          total,
        };
      }),

    async accountLock({ acting, identity, input: { account_id: id, locked } }) {
      if (id === identity.actor.homeAccountId) invalid('account_id', 'validation.ownAccount');
      await database.withSystem(async (tx) => {
        if (!(await accounts.setLocked(tx, id, locked ? clock.now() : null))) return;
        const ended = locked ? await accounts.endSessionsOfAccount(tx, id) : 0;
        await log(tx, acting, id, {
          action: locked ? 'installation.lock_account' : 'installation.unlock_account',
          before: { locked: !locked },
          after: { locked, ...(locked ? { ended_sessions: ended } : {}) },
          inverse: { path: lockPath, input: { account_id: id, locked: !locked } },
        });
        rightsChanged(tx, bus, id);
      });
      return {};
    },

    async accountReset({ acting, input: { account_id: id, what }, caller }) {
      const owner = await database.withSystem(async (tx) => {
        // a new password is useless while the account is locked
        if (what === 'password') await accounts.refuseClosed(tx, id);
        return accounts.ownerOf(tx, id);
      });
      if (!owner || (what === 'password' && !owner.email && !owner.mobile)) throw new Failure('notFound');
      const { email, mobile, locale } = owner;
      // without an e-mail: sends an SMS code for the reset page
      if (what === 'password' && !email && mobile) await reset.forgot({ mobile }, { ...caller, locale });
      await database.withSystem(async (tx) => {
        if (what === 'second_factor') await secondFactor.disable(tx, owner);
        else if (email) await reset.sendLink(tx, owner, email, locale, 'admin');
        const ended = await sessions.endSessionsOf(tx, owner, null);
        const action = what === 'password' ? 'installation.reset_password' : 'installation.reset_second_factor';
        const sent = what === 'password' ? { command: true as const } : {};
        await log(tx, acting, id, { action, after: { ended_sessions: ended }, ...sent });
        await messages.post(tx, owner.accountId, {
          template: what === 'password' ? 'passwordResetSent' : 'secondFactorReset',
          params: {},
          link: '/security',
          personId: owner.personId,
        });
        rightsChanged(tx, bus, owner.personId);
      });
      void outbox.flush();
      const to = email ?? mobile;
      return { sent_to: what === 'password' && to ? maskLogin(to) : null };
    },

    async accountSdwan({ acting, input: { account_id: id, on } }) {
      await database.withSystem(async (tx) => {
        if (!(await accounts.setSdwan(tx, id, on))) return;
        await log(tx, acting, id, {
          action: on ? 'installation.sdwan_on' : 'installation.sdwan_off',
          before: { sdwan_status: !on },
          after: { sdwan_status: on },
          inverse: { path: sdwanPath, input: { account_id: id, on: !on } },
        });
      });
      return {};
    },
  };
}
