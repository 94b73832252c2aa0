import { randomBytes } from 'node:crypto';
import { alarmNotices as contract, type DataOf, type InputOf } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import { type Database, newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, invalid, refuseOutdated } from '../../../platform/failure.ts';
import { hostOf, refusePrivateHost } from '../../../platform/outgoing/address.ts';
import { deviceGroups, fleetNetworks } from '../../fleet/index.ts';
import { accounts, type Contact, members } from '../../identity/index.ts';
import { record } from '../../logs/index.ts';
import { browsersOf } from './browser-store.ts';
import { type Target, webhookSecret } from './channels.ts';
import { endpointContext } from './deliver.ts';
import { type MessageDeps, makeMessages } from './messages-out.ts';
import * as store from './subscription-store.ts';
import type { EndpointTable, SubscriptionTable } from './tables.ts';

type Saved = InputOf<typeof contract.subscriptionSave>;

export interface SubscriptionDeps extends MessageDeps {
  database: Database;
  keys: AccountKeys;
}

const savePath = contract.subscriptionSave.path;
const deletePath = contract.subscriptionDelete.path;

/** Their services are on the internet, by https only. */
const publicRobots: ReadonlySet<string> = new Set(['wecom', 'dingtalk', 'feishu']);

/** Members limited to some networks see none. */
export function createSubscriptionActions(deps: SubscriptionDeps) {
  const { database, clock, keys, config } = deps;

  async function need(tx: Tx, acting: Acting, id: string): Promise<SubscriptionTable> {
    requireWholeAccount(acting, 'message.write');
    const found = await store.findSubscription(tx, acting.accountId, id, true);
    if (!found) throw new Failure('notFound');
    return found;
  }

  const people = (accountId: string, ids?: readonly string[]): Promise<Contact[]> =>
    database.withSystem((tx) => members.contactsOf(tx, accountId, ids));

  async function refuseRecipients(accountId: string, input: Saved): Promise<void> {
    const { members, member_channels: channels, endpoints } = input;
    if (members.length === 0 && endpoints.length === 0) invalid('members', 'validation.required');
    if (members.length === 0 && channels.length > 0) invalid('members', 'validation.required');
    if (members.length > 0 && channels.length === 0) invalid('member_channels', 'validation.required');
    const contacts = await people(accountId, members);
    if (contacts.length < members.length) invalid('members', 'validation.choice');
    const without = (field: 'email' | 'mobile') => contacts.find((one) => one[field] === null);
    const noEmail = channels.includes('email') && without('email');
    if (noEmail) invalid('member_channels', 'validation.memberNoEmail', { name: noEmail.name });
    const noMobile = channels.includes('sms') && without('mobile');
    if (noMobile) invalid('member_channels', 'validation.memberNoMobile', { name: noMobile.name });
  }

  return {
    async list(tx: Tx, acting: Acting): Promise<DataOf<typeof contract.subscriptionList>> {
      requireWholeAccount(acting, 'message.read');
      const { accountId } = acting;
      const list = await store.readSubscriptions(tx, accountId);
      const ids = (type: 'networks' | 'groups') => list.flatMap(({ scope }) => (scope.type === type ? scope.ids : []));
      const known = new Set([
        ...(await fleetNetworks.names(tx, accountId, ids('networks'))).keys(),
        ...(await deviceGroups.names(tx, accountId, ids('groups'))).keys(),
      ]);
      const recipients = list.flatMap(({ members }) => members);
      const stillMembers = await database.withSystem((system) => members.membersAmong(system, accountId, recipients));
      return {
        list: list.map((one) => ({
          ...one,
          members: one.members.filter((id) => stillMembers.has(id)),
          scope: { ...one.scope, ids: one.scope.ids.filter((id) => known.has(id)) },
        })),
        time_zone: (await accounts.accountOf(tx, accountId)).time_zone,
      };
    },

    async people(acting: Acting): Promise<DataOf<typeof contract.subscriptionPeople>> {
      requireWholeAccount(acting, 'message.read');
      const contacts = await people(acting.accountId);
      const ids = contacts.map(({ id }) => id);
      const browsers = await database.withSystem((tx) => browsersOf(tx, ids));
      return {
        list: contacts.map(({ id, name, email, mobile }) => ({
          id,
          name,
          email: email !== null,
          mobile: mobile !== null,
          browser: browsers.has(id),
        })),
      };
    },

    /** @throws Invalid; Failure changedMeanwhile, nameExists, limitReached */
    async save(tx: Tx, acting: Acting, input: Saved): Promise<DataOf<typeof contract.subscriptionSave>> {
      requireWholeAccount(acting, 'message.write');
      const { accountId } = acting;
      const before = input.id === undefined ? null : await need(tx, acting, input.id);
      refuseOutdated(before, input);
      await refuseScope(tx, accountId, input);
      await refuseRecipients(accountId, input);
      refusePeriods(input);
      await refuseCountAndName(tx, accountId, input);
      const row = rowOf(accountId, before, input, clock.now());
      const known = before ? await store.endpointsOf(tx, accountId, row.id) : [];
      const { endpoints, secrets, moved } = await endpointsFrom(tx, row, known, input.endpoints);
      await store.writeSubscription(tx, row);
      await store.writeEndpoints(tx, row, { endpoints, moved, now: clock.now() });
      // removed or replaced secrets are gone, so no undo
      const keepsAll = known.every(({ id }) =>
        input.endpoints.some((one) => one.id === id && one.url === undefined && one.secret === undefined),
      );
      const earlier = before && { ...store.givenOf(before), endpoints: known.map(({ id, type }) => ({ id, type })) };
      const inverse = before
        ? { path: savePath, input: { id: row.id, version: row.version, ...earlier } }
        : { path: deletePath, input: { id: row.id } };
      await record(tx, acting, {
        action: 'alarm.subscription_save',
        object: { type: 'alarm_subscription', id: row.id, name: row.name },
        before: before && { ...store.givenOf(before), endpoints: known.map(({ shown }) => shown) },
        after: { ...store.givenOf(row), endpoints: endpoints.map(({ shown }) => shown) },
        ...(keepsAll && { inverse }),
      });
      return { id: row.id, secrets };
    },

    async remove(tx: Tx, acting: Acting, id: string): Promise<void> {
      const found = await need(tx, acting, id);
      await store.removeSubscription(tx, acting.accountId, id, clock.now());
      await record(tx, acting, {
        action: 'alarm.subscription_delete',
        object: { type: 'alarm_subscription', id, name: found.name },
        before: store.givenOf(found),
      });
    },

    /** Posts to people of other accounts: system role. */
    async test(acting: Acting, id: string): Promise<DataOf<typeof contract.subscriptionTest>> {
      const { accountId } = acting;
      const batchId = await database.withSystem(async (tx) => {
        const found = await need(tx, acting, id);
        const { name, time_zone: zone } = await accounts.accountOf(tx, accountId);
        await record(tx, acting, {
          action: 'alarm.subscription_test',
          object: { type: 'alarm_subscription', id, name: found.name },
          command: true,
        });
        return makeMessages(tx, deps, found, {
          test: true,
          subscription: { id, name: found.name },
          account: { id: accountId, name },
          locale: found.locale,
          zone,
          items: [],
        });
      });
      return { batch_id: batchId };
    },
  };

  async function endpointsFrom(
    tx: Tx,
    { account_id: accountId, id: subscriptionId }: SubscriptionTable,
    known: readonly EndpointTable[],
    given: Saved['endpoints'],
  ) {
    const sealer = await keys.of(tx, accountId);
    const now = clock.now();
    const secrets: DataOf<typeof contract.subscriptionSave>['secrets'] = [];
    const moved: store.MovedEndpoint[] = [];
    const endpoints = given.map((one, position): EndpointTable => {
      const field = `endpoints.${position}`;
      const old = known.find(({ id }) => id === one.id);
      if (one.id !== undefined && (!old || old.type !== one.type)) invalid(`${field}.type`, 'validation.choice');
      const before = old && (JSON.parse(sealer.open(old.sealed, endpointContext(old.id)).toString()) as Target);
      const url = one.url ?? before?.url ?? invalid(`${field}.url`, 'validation.required');
      const { username, password, host } = new URL(url);
      if (username || password) invalid(`${field}.url`, 'validation.url');
      if (one.url !== undefined && !config.privateWebhooks) {
        refusePrivateHost(`${field}.url`, hostOf(url));
        if (publicRobots.has(one.type)) refuseNonPublic(`${field}.url`, url);
      }
      const id = old?.id ?? newId();
      const shown = `${host}/…${url.slice(-4)}`;
      const isWebhook = one.type === 'webhook';
      // a stored secret is not sent to another host
      const kept = before && new URL(before.url).host === host ? before.secret : '';
      const secret = isWebhook ? kept || webhookSecret(randomBytes(32)) : (one.secret ?? kept);
      if (isWebhook && !kept) secrets.push({ endpoint: id, shown, secret });
      if (old && before && before.url !== url) {
        const former = newId();
        const sealedBefore = sealer.seal(JSON.stringify(before), endpointContext(former));
        moved.push({ from: id, row: { ...old, id: former, sealed: sealedBefore, ended_at: now } });
      }
      const sealed = sealer.seal(JSON.stringify({ url, secret } satisfies Target), endpointContext(id));
      return {
        account_id: accountId,
        id,
        subscription_id: subscriptionId,
        position,
        type: one.type,
        shown,
        has_secret: secret !== '',
        sealed,
        ended_at: null,
      };
    });
    return { endpoints, secrets, moved };
  }
}

function rowOf(accountId: string, before: SubscriptionTable | null, input: Saved, now: Date): SubscriptionTable {
  const { name, enabled, locale, levels, kinds, scope, members, member_channels } = input;
  const { schedule, quiet, digest_minutes, repeat_hours, recovery } = input;
  return {
    account_id: accountId,
    id: before?.id ?? newId(),
    created_at: before?.created_at ?? now,
    ended_at: null,
    version: (before?.version ?? 0) + 1,
    name,
    enabled,
    locale,
    levels,
    kinds,
    scope: scope.type,
    scope_ids: scope.ids,
    members,
    member_channels,
    schedule,
    quiet,
    digest_minutes,
    repeat_hours,
    recovery,
  };
}

async function refuseScope(tx: Tx, accountId: string, { scope: { type, ids } }: Saved): Promise<void> {
  if (type === 'all') {
    if (ids.length > 0) invalid('scope', 'validation.invalid');
    return;
  }
  if (ids.length === 0) invalid('scope', 'validation.required');
  const known =
    type === 'networks' ? await fleetNetworks.names(tx, accountId, ids) : await deviceGroups.names(tx, accountId, ids);
  if (ids.some((id) => !known.has(id))) invalid('scope', 'validation.choice');
}

/** Refuses empty periods: they would send nothing, or be quiet for ever. */
function refusePeriods({ schedule, quiet }: Saved): void {
  const isEmpty = (period: string) => period.slice(0, 5) === period.slice(6);
  schedule.forEach(({ period }, at) => {
    if (isEmpty(period)) invalid(`schedule.${at}.period`, 'validation.periodEmpty');
  });
  if (quiet !== null && isEmpty(quiet)) invalid('quiet', 'validation.periodEmpty');
}

async function refuseCountAndName(tx: Tx, accountId: string, { id, name }: Saved): Promise<void> {
  const others = (await store.readSubscriptions(tx, accountId)).filter((one) => one.id !== id);
  const max = contract.noticeLimits.subscriptions;
  if (others.length >= max)
    throw new Failure('limitReached', { data: { limit: max }, params: { limit: max, used: others.length } });
  if (others.some((one) => one.name.toLowerCase() === name.toLowerCase())) throw new Failure('nameExists');
}

function refuseNonPublic(field: string, url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:') invalid(field, 'validation.https');
  if (!hostname.includes('.')) invalid(field, 'validation.fullHost');
}
