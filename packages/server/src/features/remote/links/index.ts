import { randomBytes } from 'node:crypto';
import { remoteLinks as contract, type DataOf, type InputOf, networksOf } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import { tokenHash } from '../../../platform/crypto/index.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { createGuessSlots } from '../../../platform/guesses/index.ts';
import { addressKey } from '../../../platform/http/address.ts';
import type { Caller } from '../../../platform/http/call.ts';
import { fleetNetworks } from '../../fleet/index.ts';
import { accounts } from '../../identity/index.ts';
import { record } from '../../logs/index.ts';
import { type SessionEnds, targetOf } from '../ends.ts';
import type { Opening, OpeningDeps } from '../open.ts';
import { isTerminal } from '../recordings/kinds.ts';
import { readMaker } from '../relay/rights.ts';
import { readSettings } from '../settings.ts';
import { type RemoteLink, remoteTables } from '../tables.ts';
import { findTarget, kindsOf, networkOf, obstacle } from '../targets.ts';
import { countOpenLinks, findLink, useLink } from './store.ts';

export interface LinkDeps extends OpeningDeps {
  publicUrl: string;
  ends: SessionEnds;
  open: Opening;
}

const newSecret = () => randomBytes(16).toString('base64url');
const hour = 3_600_000;

/** Lets a technician without an account open one session, in the name and with the rights of the link's maker. */
export function createLinks(deps: LinkDeps) {
  const { database, clock, ends, open, publicUrl, hasWeb } = deps;
  const slots = createGuessSlots(deps);

  /** @throws Failure tokenUsed, tokenExpired, tooManyRequests */
  async function proven(
    secret: string,
    caller: Caller,
  ): Promise<{ link: RemoteLink; acting: Acting; isRecorded: boolean }> {
    const key = `remote-link:${addressKey(caller.ip)}`;
    const guess = { key, limit: contract.linkLimits.wrongSecrets, windowMs: hour };
    const found = await slots.check(guess, async () => {
      const link = await database.withSystem((tx) => findLink(tx, tokenHash(secret)));
      return link ?? null;
    });
    if (found.outcome === 'wrong') throw new Failure('tokenExpired');
    if (found.outcome !== 'right') {
      const seconds = Math.max(1, Math.ceil((found.count.expiresAt.getTime() - clock.now().getTime()) / 1000));
      throw new Failure('tooManyRequests', { params: { seconds } });
    }
    const link = found.value;
    if (link.revoked_at) throw new Failure('tokenExpired');
    if (link.opened_at) throw new Failure('tokenUsed');
    const actor = await readMaker(database, link);
    const { enabled, record: isRecorded } = await database.withSystem((tx) => readSettings(tx, link.account_id));
    if (!actor || !enabled || link.until <= clock.now()) throw new Failure('tokenExpired');
    const { account_id: accountId, user_id: userId } = link;
    return { link, acting: { accountId, userId, actor, source: 'web', ip: caller.ip }, isRecorded };
  }

  return {
    /** @throws Failure unsupported, limitReached, notFound; Invalid */
    async create(
      tx: Tx,
      acting: Acting,
      input: InputOf<typeof contract.create>,
    ): Promise<DataOf<typeof contract.create>> {
      const { accountId, userId, actor } = acting;
      await readSettings(tx, accountId, true);
      const target = await findTarget(tx, accountId, input, clock);
      if (!kindsOf(target).includes(input.kind)) invalid('kind', 'validation.invalid');
      const reason = obstacle(target, input.kind, hasWeb);
      const gwid = networkOf(target);
      if ((reason && reason !== 'offline') || gwid === null) throw new Failure('unsupported', { data: { reason } });
      const now = clock.now();
      const limit = contract.linkLimits.perAccount;
      const used = await countOpenLinks(tx, accountId, now);
      if (used >= limit) throw new Failure('limitReached', { data: { limit, used }, params: { limit, used } });
      const secret = newSecret();
      const until = new Date(now.getTime() + input.minutes * 60_000);
      const { kind, guest, purpose, serial = null, peripheral_id = null } = input;
      const row = { id: newId(now.getTime()), gwid, serial, peripheral_id, target: target.name, kind, guest, purpose };
      await remoteTables(tx)
        .insertInto('remote_link')
        .values({
          ...row,
          account_id: accountId,
          user_id: userId!,
          user_account_id: actor!.homeAccountId,
          user_name: actor!.name,
          created_at: now,
          until,
          secret_hash: tokenHash(secret),
          opened_at: null,
          session_id: null,
          revoked_at: null,
        })
        .execute();
      await record(tx, acting, {
        action: 'remote.link_create',
        object: objectOf(row),
        gwid,
        after: { kind, guest, purpose, until: until.toISOString() },
      });
      return { id: row.id, url: `${publicUrl}/remote/link/${secret}`, until: until.toISOString() };
    },

    /** @throws Failure notFound */
    async revoke(tx: Tx, acting: Acting, { id }: InputOf<typeof contract.revoke>): Promise<void> {
      const { accountId } = acting;
      const link = await remoteTables(tx)
        .updateTable('remote_link')
        .set((values) => ({ revoked_at: values.fn.coalesce('revoked_at', values.val(clock.now())) }))
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!link) throw new Failure('notFound');
      if (link.session_id) await ends.end(tx, acting, { accountId, ids: [link.session_id] }, 'revoked');
      const { kind, guest } = link;
      await record(tx, acting, {
        action: 'remote.link_revoke',
        object: objectOf(link),
        gwid: link.gwid,
        before: { kind, guest },
      });
    },

    async look(secret: string, caller: Caller): Promise<DataOf<typeof contract.look>> {
      const { link, isRecorded } = await proven(secret, caller);
      const { account_id: accountId, gwid, target, kind, guest, purpose } = link;
      const [account_name, network] = await database.withSystem(async (tx) => {
        const { name } = await accounts.accountOf(tx, accountId);
        const names = await fleetNetworks.names(tx, accountId, [gwid]);
        return [name, names.get(gwid) ?? ''] as const;
      });
      const [until, recorded] = [link.until.toISOString(), isRecorded && isTerminal(kind)];
      return { account_name, target, network, kind, guest, purpose, until, recorded };
    },

    /** Leaves the link unused unless the session is written. @throws Failure as `look`, and as opening does */
    async open(
      { secret, cols, rows }: InputOf<typeof contract.openLink>,
      caller: Caller,
    ): Promise<DataOf<typeof contract.openLink>> {
      const { link, acting } = await proven(secret, caller);
      const { account_id: accountId, user_id: userId, kind, purpose, serial, peripheral_id: peripheral } = link;
      const target = serial === null ? { peripheral_id: peripheral! } : { serial };
      const page = newSecret();
      const gwids = networksOf(acting.actor!);
      const { id } = await open(
        acting,
        (work) => database.withTenant({ accountId, userId, gwids }, work),
        { ...target, kind, purpose, cols, rows },
        {
          linkId: link.id,
          name: link.guest,
          pageHash: tokenHash(page),
          async use(tx, sessionId) {
            if (!(await useLink(tx, link, sessionId, clock.now()))) throw new Failure('tokenUsed');
          },
        },
      );
      return { id, page };
    },
  };
}

const objectOf = ({ serial, peripheral_id, target }: Pick<RemoteLink, 'serial' | 'peripheral_id' | 'target'>) =>
  targetOf({ serial: serial ?? '', peripheral_id, target });
