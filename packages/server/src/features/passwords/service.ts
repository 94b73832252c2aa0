import { passwords as contract, type DataOf, type InputOf, networksOf } from '@yunxun/contract';
import { type Acting, bySystem, requireWholeAccount } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { Configuration } from '../configuration/index.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import { accounts } from '../identity/index.ts';
import { jobStates } from '../jobs/index.ts';
import { record } from '../logs/index.ts';
import type { Messages } from '../messages/index.ts';
import { createPasswordMail, type MailDeps, oneEach } from './mail.ts';
import { makePassword, nextChange } from './make.ts';
import * as store from './store.ts';

type Contract = typeof contract;
type Row = DataOf<Contract['passwordList']>['list'][number];

/**
 * Returns a plan with each address once.
 * @throws Invalid too short for its prefix
 */
function checkedPlan(plan: contract.PasswordPlan): contract.PasswordPlan {
  const min = plan.prefix.length + contract.passwordLimits.random;
  if (plan.length < min) invalid('plan.length', 'validation.minValue', { min });
  return { ...plan, emails: oneEach(plan.emails) };
}

export interface PasswordsDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  configuration: Pick<Configuration, 'pushLater' | 'ssidsOf'>;
  messages: Pick<Messages, 'post'>;
  outbox: MailDeps['outbox'];
  log: Log;
}

export type Passwords = ReturnType<typeof createRules>;

/** Passwords override settings: no new template version. */
export function createPasswordReader(keys: AccountKeys) {
  return async (tx: Tx, accountId: string): Promise<(gwid: string, ssid: string) => string | null> => {
    const inForce = await store.keysInForce(tx, accountId);
    if (inForce.length === 0) return () => null;
    const rules = new Map((await store.rulesOf(tx, accountId)).map((rule) => [rule.id, rule]));
    const found = new Map<string, string>();
    for (const key of inForce) {
      const rule = rules.get(key.rule_id);
      if (!rule) continue;
      const password = await store.openKey(tx, keys, key);
      for (const gwid of rule.gwids) found.set(`${gwid} ${rule.ssid}`, password);
    }
    return (gwid, ssid) => found.get(`${gwid} ${ssid}`) ?? null;
  };
}

/** Hides the rule's name from delegations of some networks. */
export async function passwordRulesAt(tx: Tx, { accountId, actor }: Acting, gwid: string) {
  const rules = (await store.rulesOf(tx, accountId)).filter(({ gwids }) => gwids.includes(gwid));
  return rules.map(({ ssid, name }) => ({ ssid, name: actor && networksOf(actor) ? null : name }));
}

/** Belong to the account: limited delegations see none. */
export function createRules({ database, clock, keys, configuration, messages, outbox, log }: PasswordsDeps) {
  const mail = createPasswordMail({ database, clock, outbox });

  async function need(tx: Tx, acting: Acting, id: string, lock = false): Promise<store.Rule> {
    requireWholeAccount(acting, lock ? 'config.write' : 'config.read');
    const rule = await store.findRule(tx, acting.accountId, id, lock);
    if (!rule) throw new Failure('notFound');
    return rule;
  }

  const zoneOf = async (tx: Tx, accountId: string) => (await accounts.accountOf(tx, accountId)).time_zone;
  const about = ({ id, name }: Pick<store.Rule, 'id' | 'name'>) => ({
    object: { type: 'password' as const, id, name },
  });

  /** @returns the job id; null without devices */
  function push(tx: Tx, acting: Acting, gwids: readonly string[]): Promise<string | null> {
    const author = acting.actor?.name ?? acting.source;
    return configuration.pushLater(tx, acting, gwids, { cause: 'password_changed', author });
  }

  /**
   * Generates, pushes and mails.
   * @returns the job id; null without devices
   */
  async function rotate(
    tx: Tx,
    acting: Acting,
    rule: store.Rule,
    cause: 'plan' | 'hand' | 'made',
  ): Promise<string | null> {
    const { account_id, id, name, ssid } = rule;
    const now = clock.now();
    await mail.count(acting, rule);
    const jobId = await push(tx, acting, rule.gwids);
    const password = makePassword(rule.rule);
    await store.insertKey(tx, keys, {
      account_id,
      rule_id: id,
      password,
      valid_from: now,
      job_id: jobId,
      cause,
      made_by: acting.actor?.name ?? acting.source,
    });
    const next_at = rule.paused ? null : nextChange(rule.rule, now, await zoneOf(tx, account_id));
    await store.updateRule(tx, rule, { next_at });
    await mail.queue(tx, rule, password, next_at);
    const { emails } = rule.rule;
    if (rule.rule.notify && cause !== 'made') {
      const link = '/config/ac_dynamic_password';
      await messages.post(tx, account_id, {
        template: 'wifiPasswordChanged',
        params: { name, ssid },
        link,
      });
    }
    if (cause !== 'made')
      await record(tx, acting, {
        action: 'password.rotate',
        ...about(rule),
        after: { ssid, emails },
        command: true,
        ...(jobId && { jobId }),
      });
    return jobId;
  }

  return {
    async list(
      tx: Tx,
      acting: Acting,
      input: InputOf<Contract['passwordList']>,
    ): Promise<{ list: Row[]; total: number }> {
      requireWholeAccount(acting, 'config.read');
      const { accountId } = acting;
      const word = input.keyword?.toLowerCase() ?? '';
      const rules = (await store.rulesOf(tx, accountId)).filter(({ name, ssid }) =>
        `${name} ${ssid}`.toLowerCase().includes(word),
      );
      const names = await fleetNetworks.names(
        tx,
        accountId,
        rules.flatMap(({ gwids }) => gwids),
      );
      const inForce = new Map((await store.keysInForce(tx, accountId)).map((key) => [key.rule_id, key]));
      const jobs = await jobStates.ofJobs(
        tx,
        accountId,
        [...inForce.values()].flatMap(({ job_id }) => job_id ?? []),
      );
      const aps = rules.length > 0 ? await fleetDevices.accessPointCounts(tx, accountId) : new Map<string, number>();
      const rows = rules.map((rule): Omit<Row, 'ssid_gone'> => {
        const key = inForce.get(rule.id);
        const status = key?.job_id ? jobs.get(key.job_id) : undefined;
        return {
          id: rule.id,
          name: rule.name,
          gwids: rule.gwids,
          ssid: rule.ssid,
          plan: rule.rule,
          paused: rule.paused,
          networks: rule.gwids.flatMap((gwid) => names.get(gwid) ?? []),
          devices: rule.gwids.reduce((sum, gwid) => sum + (aps.get(gwid) ?? 0), 0),
          next_at: rule.next_at?.toISOString() ?? null,
          changed_at: key?.valid_from.toISOString() ?? null,
          last_job: key?.job_id && status ? { id: key.job_id, status } : null,
        };
      });
      const sort = input.sort ?? 'name';
      const sorted = rows.toSorted((a, b) => ((a[sort] ?? '') < (b[sort] ?? '') ? -1 : 1));
      if (input.order === 'desc') sorted.reverse();
      const limit = input.limit ?? 10;
      const from = ((input.page ?? 1) - 1) * limit;
      const page = sorted.slice(from, from + limit);
      const gwids = [...new Set(page.flatMap((row) => row.gwids))];
      const there = await configuration.ssidsOf(tx, accountId, gwids);
      const list = page.map((row): Row => {
        return { ...row, ssid_gone: !row.gwids.some((gwid) => there.get(gwid)?.some(({ name }) => name === row.ssid)) };
      });
      return { list, total: rows.length };
    },

    async ssids(tx: Tx, acting: Acting, gwids: readonly string[]): Promise<{ list: string[] }> {
      requireWholeAccount(acting, 'config.read');
      const there = await configuration.ssidsOf(tx, acting.accountId, gwids);
      return { list: [...new Set([...there.values()].flat().map(({ name }) => name))].toSorted() };
    },

    /** @throws Failure nameExists, inUse; Invalid */
    async create(tx: Tx, acting: Acting, input: InputOf<Contract['passwordCreate']>) {
      requireWholeAccount(acting, 'config.write');
      const { accountId } = acting;
      const { name, gwids, ssid } = input;
      const plan = checkedPlan(input.plan);
      const others = await store.rulesOf(tx, accountId);
      if (others.some((rule) => rule.name.toLowerCase() === name.toLowerCase())) throw new Failure('nameExists');
      if (others.some((rule) => rule.ssid === ssid && rule.gwids.some((gwid) => gwids.includes(gwid))))
        throw new Failure('inUse', { params: { kind: 'rule' } });
      const there = [...(await configuration.ssidsOf(tx, accountId, gwids)).values()];
      if (!there.flat().some(({ name: shown }) => shown === ssid)) invalid('ssid', 'validation.choice');
      const now = clock.now();
      const rule: store.Rule = {
        account_id: accountId,
        id: newId(now.getTime()),
        name,
        ssid,
        gwids,
        rule: plan,
        paused: false,
        next_at: null,
        created_at: now,
        updated_at: now,
        updated_by: acting.actor?.name ?? acting.source,
      };
      await store.insertRule(tx, rule);
      const jobId = await rotate(tx, acting, rule, 'made');
      await record(tx, acting, {
        action: 'password.create',
        ...about(rule),
        after: { ssid, gwids, ...plan },
        ...(jobId && { jobId }),
      });
      return { id: rule.id, job_id: jobId };
    },

    /** @throws Failure nameExists */
    async update(tx: Tx, acting: Acting, input: InputOf<Contract['passwordUpdate']>) {
      const { id } = input;
      const rule = await need(tx, acting, id, true);
      const name = input.name ?? rule.name;
      const plan = checkedPlan({ ...rule.rule, ...input.plan });
      const others = await store.rulesOf(tx, acting.accountId);
      if (others.some((one) => one.id !== id && one.name.toLowerCase() === name.toLowerCase()))
        throw new Failure('nameExists');
      const now = clock.now();
      const next_at = rule.paused ? null : nextChange(plan, now, await zoneOf(tx, acting.accountId));
      const updated_by = acting.actor?.name ?? acting.source;
      await store.updateRule(tx, rule, { name, rule: plan, next_at, updated_at: now, updated_by });
      await record(tx, acting, {
        action: 'password.update',
        ...about({ id, name }),
        before: { name: rule.name, ...rule.rule },
        after: { name, ...plan },
        inverse: { path: '/api/v3/ac_password/rule/update', input: { id, name: rule.name, plan: rule.rule } },
      });
      return {};
    },

    async pause(tx: Tx, acting: Acting, { id, paused }: InputOf<Contract['passwordPause']>) {
      const rule = await need(tx, acting, id, true);
      const next_at = paused ? null : nextChange(rule.rule, clock.now(), await zoneOf(tx, acting.accountId));
      await store.updateRule(tx, rule, { paused, next_at });
      await record(tx, acting, {
        action: 'password.pause',
        ...about(rule),
        before: { paused: rule.paused },
        after: { paused },
        inverse: { path: '/api/v3/ac_password/rule/pause', input: { id, paused: rule.paused } },
      });
      return {};
    },

    rotate: async (tx: Tx, acting: Acting, id: string) => ({
      job_id: await rotate(tx, acting, await need(tx, acting, id, true), 'hand'),
    }),

    async remove(tx: Tx, acting: Acting, id: string) {
      const rule = await need(tx, acting, id, true);
      await store.deleteRule(tx, acting.accountId, id);
      const jobId = await push(tx, acting, rule.gwids);
      const { ssid, gwids } = rule;
      await record(tx, acting, {
        action: 'password.delete',
        ...about(rule),
        before: { ssid, gwids, ...rule.rule },
        ...(jobId && { jobId }),
      });
      return { job_id: jobId };
    },

    async history(tx: Tx, acting: Acting, id: string): Promise<DataOf<Contract['passwordHistory']>> {
      await need(tx, acting, id);
      const list = (await store.keysOfRule(tx, acting.accountId, id)).map((key) => ({
        seq: key.seq,
        made_by: key.made_by,
        cause: key.cause as 'plan' | 'hand' | 'made',
        valid_from: key.valid_from.toISOString(),
        valid_to: key.valid_to?.toISOString() ?? null,
      }));
      return { list, total: list.length };
    },

    async reveal(tx: Tx, acting: Acting, { id, seq }: InputOf<Contract['passwordReveal']>) {
      const rule = await need(tx, acting, id, true);
      const all = await store.keysOfRule(tx, acting.accountId, id);
      const key = all.find((one) => (seq === undefined ? one.valid_to === null : one.seq === seq));
      if (!key) throw new Failure('notFound');
      const { ssid } = rule;
      const there = await configuration.ssidsOf(tx, acting.accountId, rule.gwids);
      const own = [...there.values()].flat().filter(({ name }) => name === ssid);
      await record(tx, acting, {
        action: 'password.reveal',
        ...about(rule),
        after: { ssid, seq: key.seq },
        command: true,
      });
      return {
        ssid,
        password: await store.openKey(tx, keys, key),
        valid_from: key.valid_from.toISOString(),
        valid_to: key.valid_to?.toISOString() ?? null,
        hidden: own.some(({ hidden }) => hidden),
        wpa3_only: own.length > 0 && own.every(({ security }) => security === 'sae'),
      };
    },

    tasks: {
      /** Uses a transaction per rule; makes several missed changes once. */
      'passwords-due': async () => {
        const due = await database.withSystem((tx) => store.dueRules(tx, clock.now()));
        const failed: unknown[] = [];
        for (const { accountId, id } of due) {
          // one's error must not stop the others
          await database
            .withSystem(async (tx) => {
              const rule = await store.findRule(tx, accountId, id, true);
              if (!rule || rule.paused || rule.next_at === null || rule.next_at > clock.now()) return;
              await rotate(tx, bySystem(accountId), rule, 'plan');
            })
            .catch((error: unknown) => failed.push(error));
        }
        const changed = due.length - failed.length;
        if (changed > 0) log.info({ changed }, 'Wi-Fi passwords changed by their rules');
        if (failed.length > 0) throw new AggregateError(failed, `${failed.length} Wi-Fi passwords were not changed`);
      },
    },
    schedules: [{ task: 'passwords-due', cron: '* * * * *' }],
    objects: { password: store.knownRules },
  };
}
