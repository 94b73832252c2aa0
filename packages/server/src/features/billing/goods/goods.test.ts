import type { PortalMethod } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { signInAgain } from '../../../../test/seed-account.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import {
  alertOf,
  contentWith,
  freeLimits,
  memoryTemplates,
  newClient,
  nextOf,
  openPage,
  plainFas,
  submit,
} from '../../portal/testing/guest.ts';
import { portalNetwork } from '../../portal/testing/portal-network.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
const card: PortalMethod = { kind: 'recharge_card', ...freeLimits };
const day = 86_400_000;

let server: TestServer;
let owner: Registered;
beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates });
});
beforeEach(async () => {
  owner = await server.register();
});
afterAll(() => server.stop());

const terms = {
  minutes: 120,
  bytes: 0,
  devices: 1,
  up_kbps: 0,
  down_kbps: 8192,
  valid_days: 30,
  gwids: null as string[] | null,
};

const call = <T>(path: string, input: object, as: object = owner) => server.call<T>(`/api/v3/${path}`, input, as);

async function makePackage(change: object = {}): Promise<string> {
  const input = { name: 'TwoHours', price: '9.90', ...terms, enabled: true, ...change };
  return (await call<{ id: string }>('billing/package/create', input)).data.id;
}

async function makeCards(change: object = {}, of: object = {}) {
  const package_id = await makePackage(of);
  const input = { name: 'Autumn', package_id, face: '8.50', count: 1, prefix: 'YX', valid_days: 90, ...change };
  return (await call<{ id: string; codes: string[] }>('recharge_card/generate', input)).data;
}

const lobby = () => portalNetwork(server, owner, templates, { gateway: 'opennds_1', content: contentWith([card]) });

const redeem = async (base: string, code: string, client = newClient()) =>
  submit(await openPage(`${base}/fas?${plainFas(client)}`), 'recharge_card', { card: code });

const journal = async (accountId: string) => {
  const { rows } = await server.db.database.systemPool.query<{ kind: string; gwid: string; fen: number }>(
    `select t.kind, t.gwid, e.fen::int as fen from ledger_transaction t join ledger_entry e
       on e.account_id = t.account_id and e.transaction_id = t.id
     where t.account_id = $1 and e.ledger = 'income' order by t.at, t.kind`,
    [accountId],
  );
  return rows;
};

it('creates, changes and deletes packages, and names a taken name', async () => {
  const id = await makePackage();
  expect(await call('billing/package/create', { name: 'twohours', price: '1', ...terms, enabled: true })).toMatchObject(
    {
      code: 4105,
    },
  );
  const changed = { id, name: 'Evening', price: '12.5', ...terms, enabled: false };
  expect(await call('billing/package/save', changed)).toMatchObject({ code: 2000 });
  expect((await call('billing/package/list', {})).data).toMatchObject({
    list: [{ id, name: 'Evening', price: '12.50', enabled: false, sold: 0 }],
    total: 1,
  });
  await call('billing/package/delete', { ids: [id] });
  expect((await call('billing/package/list', {})).data).toEqual({ list: [], total: 0 });
});

it('answers a price with three decimals beside its field', async () => {
  const input = { name: 'Odd', price: '1.234', ...terms, enabled: true };
  expect(await call('billing/package/create', input)).toMatchObject({
    code: 422,
    errors: { price: [expect.any(String)] },
  });
});

it('puts a guest online with the package of the card, once, and books its face value for the network', async () => {
  const { base, gwid } = await lobby();
  const { codes } = await makeCards();
  const client = newClient();
  const connecting = await redeem(base, codes[0]!.toLowerCase(), client);
  const grant = new URL(nextOf(connecting));
  expect((await openPage(grant.searchParams.get('redir')!)).html).toContain('Time left: 2 h');
  expect(await journal(owner.accountId)).toEqual([{ kind: 'recharge_card', gwid, fen: -850 }]);
  expect(alertOf(await redeem(base, codes[0]!))).toBe('The maximum number of devices is online with it (1).');
  await redeem(base, codes[0]!, client);
  expect(await journal(owner.accountId)).toHaveLength(1);
  expect((await call('recharge_card/list', { state: 'used' })).data).toMatchObject({
    list: [{ state: 'used', code: `…${codes[0]!.slice(-4)}`, network: { gwid, name: 'Lobby' } }],
  });
  expect((await call('recharge_card/stat', {})).data).toMatchObject({ used: 1, unused: 0, income: '8.50' });
  expect((await call('billing/package/list', {})).data).toMatchObject({ list: [{ sold: 1 }] });
});

it('names used, void, expired, foreign and unknown cards', async () => {
  const { base } = await lobby();
  const elsewhere = await lobby();
  const made = await makeCards({ count: 3 });
  await redeem(base, made.codes[0]!).then(async (page) => openPage(new URL(nextOf(page)).searchParams.get('redir')!));
  clock.advance(121 * 60_000);
  expect(alertOf(await redeem(base, made.codes[0]!))).toBe('This recharge card has been used and its time is over.');
  expect(alertOf(await redeem(base, 'YXNOSUCHCARD'))).toBe(
    'There is no such recharge card. Check the code and try again.',
  );
  const bound = await makeCards({ name: 'Bound' }, { name: 'Bound', gwids: [elsewhere.gwid] });
  expect(alertOf(await redeem(base, bound.codes[0]!))).toBe('This recharge card does not count in this network.');
  const old = await makeCards({ name: 'Old', valid_days: 1 }, { name: 'Old' });
  expect((await call('billing/balance', {})).data).toMatchObject({ cards: 4 });
  const { list: cards } = (
    await call<{ list: { id: string; state: string }[] }>('recharge_card/list', { batch_id: made.id })
  ).data;
  expect(await call('recharge_card/void', { batch_id: made.id })).toMatchObject({ data: { voided: 2 } });
  const voidOne = { batch_id: made.id, id: cards.find(({ state }) => state === 'unused')!.id };
  const spent = { code: 4104, message: expect.stringMatching(/^Only unused cards that are not sold can be voided/) };
  expect(await call('recharge_card/void', voidOne)).toMatchObject(spent);
  expect(alertOf(await redeem(base, made.codes[1]!))).toBe('This recharge card has been cancelled.');
  clock.advance(day + 1);
  expect(alertOf(await redeem(base, old.codes[0]!))).toBe('This recharge card has expired.');
});

it('limits guesses of card codes', async () => {
  const { base } = await lobby();
  const { codes } = await makeCards();
  const page = await openPage(`${base}/fas?${plainFas(newClient())}`);
  for (let n = 0; n < 60; n += 1) await submit(page, 'recharge_card', { card: `WRONG${n}` });
  expect(alertOf(await submit(page, 'recharge_card', { card: codes[0]! }))).toMatch(/^Too many attempts/);
});

it('reverses the income of a used card, and refuses the card from then on', async () => {
  const { base, gwid } = await lobby();
  const { codes } = await makeCards();
  const client = newClient();
  await redeem(base, codes[0]!, client);
  const { list } = (await call<{ list: { id: string }[] }>('recharge_card/list', {})).data;
  const refund = { id: list[0]!.id, reason: 'Complaint' };
  expect(await call('recharge_card/refund', refund)).toMatchObject({ code: 2000 });
  const twice = { code: 4104, message: 'Only sold or used cards can be refunded, once' };
  expect(await call('recharge_card/refund', refund)).toMatchObject(twice);
  expect(await journal(owner.accountId)).toEqual([
    { kind: 'recharge_card', gwid, fen: -850 },
    { kind: 'recharge_card_refund', gwid, fen: 850 },
  ]);
  expect(alertOf(await redeem(base, codes[0]!, client))).toBe('This recharge card has been cancelled.');
});

it('refunds the time of a card that was not used, and all of it only if asked', async () => {
  const { gwid, base } = await lobby();
  const { codes } = await makeCards({ count: 2 });
  for (const code of codes) await redeem(base, code);
  const refundAfter = async (minutes: number, n: number, used?: boolean) => {
    clock.advance(minutes * 60_000);
    const as = await signInAgain(server, { ...owner, personId: owner.userId }, clock.now());
    const { list } = (await call<{ list: { id: string; code: string }[] }>('recharge_card/list', {}, as)).data;
    const { id } = list.find(({ code }) => code.endsWith(codes[n]!.slice(-4)))!;
    return call('recharge_card/refund', { id, reason: 'Complaint', ...(used && { used }) }, as);
  };
  expect((await refundAfter(30, 0)).code).toBe(2000);
  expect(await refundAfter(90, 1)).toMatchObject({ status: 422, errors: { used: [expect.stringContaining('0.00')] } });
  expect((await refundAfter(0, 1, true)).code).toBe(2000);
  const refunds = (await journal(owner.accountId)).filter(({ kind }) => kind === 'recharge_card_refund');
  expect(refunds).toMatchObject([
    { gwid, fen: 637 },
    { gwid, fen: 850 },
  ]);
  const as = await signInAgain(server, { ...owner, personId: owner.userId }, clock.now());
  expect((await call<{ income: string }>('recharge_card/stat', {}, as)).data.income).toBe('2.13');
});

it('keeps no code, and hides cards from members of some networks', async () => {
  const { codes } = await makeCards({ count: 2 });
  const { rows } = await server.db.database.systemPool.query<{ text: string }>(
    `select to_jsonb(c)::text || to_jsonb(b)::text as text from billing_card c
       join billing_card_batch b on b.account_id = c.account_id and b.id = c.batch_id where c.account_id = $1`,
    [owner.accountId],
  );
  for (const { text } of rows) for (const code of codes) expect(text).not.toContain(code);
  const clerk = await server.register();
  const { data } = await call<{ gwid: string }>('network/create', { remark: 'Shop' });
  await server.db.database.systemPool.query(
    `insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, 'billing', $4)`,
    [owner.accountId, clerk.userId, clerk.accountId, [data.gwid]],
  );
  const as = { token: clerk.token, account: owner.accountId };
  expect(await call('recharge_card/list', {}, as)).toMatchObject({ code: 4101, data: { reason: 'networks' } });
});
