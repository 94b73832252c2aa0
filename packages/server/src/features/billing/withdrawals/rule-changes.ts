import type { withdrawals as contract, DataOf, InputOf, messages as inbox } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { accounts } from '../../identity/index.ts';
import { installationSettings, theInstallation } from '../../installation/index.ts';
import { record } from '../../logs/index.ts';
import type { Messages, NewMessage } from '../../messages/index.ts';
import { standInAfterMs, timeFor } from '../decisions/second-persons.ts';
import { yuan } from '../service.ts';
import { lockRule, parseRule, presentRule, readRule, writeRule } from './rule.ts';
import { administratorGone, otherAdministrators } from './stand-in.ts';

interface Loosening {
  twoPersonsAboveFen: number | null;
  askedAt: string;
  askedBy: string;
  asker: string;
  /** All accounts got a message of it. */
  announced?: boolean;
}

const key = 'withdrawals_loosening';
const limitText = (fen: number | null) => (fen === null ? '—' : yuan(fen));
const limitTexts = (from: number | null, to: number | null) => ({ from: limitText(from), to: limitText(to) });

const standInAtOf = (askedAt: string) => new Date(Date.parse(askedAt) + standInAfterMs);

export interface RuleDeps {
  database: Database;
  clock: Clock;
  messages: Messages;
  adminEmail: string | null;
}

/** One administrator tightens the two-person limit, two loosen it. */
export function createRuleChanges({ database, clock, messages, adminEmail }: RuleDeps) {
  const pendingOf = async (tx: Tx) => (await installationSettings.readSetting<Loosening | null>(tx, key)) ?? null;

  async function lockPending(tx: Tx): Promise<Loosening> {
    await lockRule(tx);
    const pending = await pendingOf(tx);
    if (!pending) throw new Failure('changedMeanwhile');
    return pending;
  }

  async function postToAll<T extends inbox.MessageTemplate>(
    tx: Tx,
    message: Pick<NewMessage<T>, 'template' | 'params'>,
  ): Promise<void> {
    for (const accountId of await accounts.openAccountIds(tx))
      await messages.post(tx, accountId, { ...message, link: '/billing/transactions' });
  }

  /** All who got a message of the request get one of its end. */
  async function end(tx: Tx, acting: Acting, pending: Loosening, limit: number | null): Promise<void> {
    await installationSettings.writeSetting(tx, key, null);
    const params = { person: acting.actor?.name ?? acting.source, limit: limitText(limit) };
    const message = { template: 'limitLooseningEnded', params } as const;
    if (pending.announced) return postToAll(tx, message);
    for (const { accountId, personId } of await otherAdministrators(tx, acting, adminEmail))
      await messages.post(tx, accountId, { ...message, link: '/install?tab=withdrawals', personId });
  }

  /** Without another administrator, all accounts get the message. */
  async function ask(tx: Tx, acting: Acting, from: number | null, to: number | null): Promise<void> {
    const asker = acting.actor?.name ?? acting.source;
    const others = await otherAdministrators(tx, acting, adminEmail);
    const alone = others.length === 0;
    const replaced = await pendingOf(tx);
    const asked: Loosening = {
      twoPersonsAboveFen: to,
      askedAt: clock.now().toISOString(),
      askedBy: acting.userId!,
      asker,
      announced: alone || replaced?.announced === true,
    };
    await installationSettings.writeSetting(tx, key, asked);
    await record(tx, acting, {
      action: 'installation.ask_two_persons_limit',
      object: theInstallation,
      before: { two_persons_above: from === null ? null : yuan(from) },
      after: { two_persons_above: to === null ? null : yuan(to) },
      command: true,
    });
    if (alone) return postToAll(tx, { template: 'limitLoosening', params: limitTexts(from, to) });
    for (const { accountId, personId } of others) {
      const params = { person: asker, ...limitTexts(from, to) };
      await messages.post(tx, accountId, {
        template: 'limitAsked',
        params,
        link: '/install?tab=withdrawals',
        personId,
      });
    }
  }

  /** @throws Failure secondPerson */
  async function requireAlone(tx: Tx, acting: Acting, from: Date): Promise<void> {
    if (!(await administratorGone(tx, acting, adminEmail)))
      throw new Failure('secondPerson', { params: { kind: 'limit' } });
    if (from > clock.now()) {
      const time = await timeFor(tx, acting, from);
      throw new Failure('secondPerson', { params: { kind: 'limit_alone', time } });
    }
  }

  return {
    read: (acting: Acting): Promise<DataOf<typeof contract.rule>> =>
      database.withSystem(async (tx) => {
        const pending = await pendingOf(tx);
        const alone = await administratorGone(tx, acting, adminEmail);
        return {
          ...presentRule(await readRule(tx)),
          pending: pending && {
            two_persons_above: pending.twoPersonsAboveFen === null ? null : yuan(pending.twoPersonsAboveFen),
            at: pending.askedAt,
            by: pending.asker,
            mine: pending.askedBy === acting.userId,
            stand_in_at: alone ? standInAtOf(pending.askedAt).toISOString() : null,
          },
        };
      }),

    /** @returns whether a looser limit waits */
    save: (acting: Acting, input: InputOf<typeof contract.saveRule>): Promise<boolean> =>
      database.withSystem(async (tx) => {
        await lockRule(tx);
        const rule = await readRule(tx);
        const before = presentRule(rule);
        const wanted = parseRule({ ...before, ...input });
        const [from, to] = [rule.twoPersonsAboveFen, wanted.twoPersonsAboveFen];
        const pending = await pendingOf(tx);
        const looser = from !== null && (to === null || to > from);
        const after = looser ? { ...wanted, twoPersonsAboveFen: from } : wanted;
        if (looser) await ask(tx, acting, from, to);
        else if (pending && input.two_persons_above !== undefined) await end(tx, acting, pending, to);
        await writeRule(tx, after);
        const shown = presentRule(after);
        if (JSON.stringify(shown) !== JSON.stringify(before) || !looser)
          await record(tx, acting, {
            action: 'installation.save_withdrawal_rule',
            object: theInstallation,
            before,
            after: shown,
          });
        return looser;
      }),

    /** @throws Failure secondPerson, changedMeanwhile */
    confirm: (acting: Acting): Promise<void> =>
      database.withSystem(async (tx) => {
        const { twoPersonsAboveFen: to, askedAt, askedBy, asker } = await lockPending(tx);
        const rule = await readRule(tx);
        const own = askedBy === acting.userId;
        if (own) await requireAlone(tx, acting, standInAtOf(askedAt));
        const after = { ...rule, twoPersonsAboveFen: to };
        await writeRule(tx, after);
        await installationSettings.writeSetting(tx, key, null);
        await record(tx, acting, {
          action: 'installation.save_withdrawal_rule',
          object: theInstallation,
          before: presentRule(rule),
          after: { ...presentRule(after), by: own ? asker : `${asker}, ${acting.actor?.name ?? acting.source}` },
        });
        if (own) await postToAll(tx, { template: 'limitLoosened', params: limitTexts(rule.twoPersonsAboveFen, to) });
      }),

    /** @throws Failure changedMeanwhile */
    refuse: (acting: Acting): Promise<void> =>
      database.withSystem(async (tx) => {
        const pending = await lockPending(tx);
        const { twoPersonsAboveFen: to, asker } = pending;
        await end(tx, acting, pending, (await readRule(tx)).twoPersonsAboveFen);
        await record(tx, acting, {
          action: 'installation.refuse_two_persons_limit',
          object: theInstallation,
          after: { two_persons_above: to === null ? null : yuan(to), asker },
          command: true,
        });
      }),
  };
}
