import type { portalReception as contract, DataOf, InputOf } from '@yunxun/contract';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { maskLogin } from '../../../platform/mask-login.ts';
import { exemptOf } from '../captive/range.ts';
import type { PortalSecrets } from '../secrets.ts';
import { findSession } from '../session-store.ts';
import { findSite } from '../site-store.ts';
import { codeState } from './code-state.ts';
import { createExtend, type ExtendDeps } from './extend-session.ts';
import { createMove } from './move-session.ts';
import { onlineGuests } from './online-guests.ts';
import { triedHashes } from './tried.ts';
import { listTries, listWaiting } from './waiting-store.ts';

type Contract = typeof contract;

export interface ReceptionDeps extends ExtendDeps {
  secrets: PortalSecrets;
}

/** A name or an account may be a phone number too. */
const withoutNumber = (identity: string | null): string | null =>
  identity?.replace(/(?:(?:\+|00)?86)?1\d{10}(?!\d)/g, maskLogin) ?? null;

export function createReception(deps: ReceptionDeps) {
  const { clock, secrets } = deps;
  return {
    extend: createExtend(deps),
    move: createMove(deps),

    async guests(tx: Tx, accountId: string, input: InputOf<Contract['guests']>): Promise<DataOf<Contract['guests']>> {
      const { list, total } = await onlineGuests(tx, { clock, secrets }, accountId, input);
      return {
        list: list.map(({ up_bytes: _up, down_bytes: _down, ...guest }) => ({
          ...guest,
          identity: withoutNumber(guest.identity),
        })),
        total,
      };
    },

    async waiting(
      tx: Tx,
      accountId: string,
      { gwid, page = 1, limit = 10, keyword = '', order = 'desc' }: InputOf<Contract['waiting']>,
    ): Promise<DataOf<Contract['waiting']>> {
      const asked = { page, limit, keyword, order };
      const { rows, total } = await listWaiting(tx, { accountId, gwid }, clock.now(), asked);
      const list = rows.map(({ id, mac, verified, ip, system, at, reason }) => ({
        id,
        mac,
        verified,
        ip,
        system,
        reason,
        at: at.toISOString(),
      }));
      return { list, total };
    },

    code: (tx: Tx, accountId: string, { gwid, code }: InputOf<Contract['code']>): Promise<DataOf<Contract['code']>> =>
      codeState(tx, secrets, { accountId, gwid }, code, clock.now()),

    async tries(
      tx: Tx,
      accountId: string,
      { gwid, id, page = 1, limit = 10, keyword = '', order = 'desc' }: InputOf<Contract['tries']>,
    ): Promise<DataOf<Contract['tries']>> {
      const site = { accountId, gwid };
      const session = id ? await findSession(tx, site, id) : null;
      if (id && !session) throw new Failure('notFound');
      const subjects = triedHashes(secrets, accountId, keyword);
      const asked = { page, limit, keyword, order, subjects, device: session?.device_key ?? null };
      const { rows, total } = await listTries(tx, site, clock.now(), asked);
      const exempt = exemptOf(await findSite(tx, accountId, gwid));
      const isExempt = (...of: (string | null)[]) => of.some((one) => one !== null && exempt.has(one));
      const list = rows.map(({ at, ...row }) => ({
        ...row,
        at: at.toISOString(),
        exempt: isExempt(row.mac, row.ip),
      }));
      return { list, total };
    },
  };
}
