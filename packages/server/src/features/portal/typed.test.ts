import type { PortalMethod } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { guessLimits } from './guest-limits.ts';
import {
  alertOf,
  contentWith,
  freeLimits,
  memoryTemplates,
  newClient,
  openPage,
  type Page,
  sealedFas,
  submit,
} from './testing/guest.ts';
import { type PortalNetwork, portalNetwork } from './testing/portal-network.ts';

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
let server: TestServer;
let owner: Registered;
let lobby: PortalNetwork;

const methods: PortalMethod[] = [
  { kind: 'voucher', ...freeLimits, devices: 50 },
  { kind: 'account', ...freeLimits },
  { kind: 'password', ...freeLimits, password: 'Lobby-2026' },
  { kind: 'sms', ...freeLimits, devices: 50 },
];

beforeAll(async () => {
  server = await startTestServer({ clock, portalTemplates: templates });
});
beforeEach(async () => {
  owner = await server.register();
  lobby = await portalNetwork(server, owner, templates, { gateway: 'opennds_3', content: contentWith(methods) });
});
afterAll(() => server.stop());

const call = (path: string, input: object) =>
  server.call<{ codes: string[] }>(`/api/v3/portal/${path}`, { gwid: lobby.gwid, ...input }, owner);
const arrive = (client = newClient()) => openPage(`${lobby.base}/fas?${sealedFas(client, lobby.secret)}`);
const isIn = ({ html }: Page) => html.includes('Connecting');
const wide = (text: string) =>
  text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
const split = (text: string, by: string) => `${text.slice(0, 3)}${by}${text.slice(3)}`;

async function voucher(characters: 'digits' | 'mixed'): Promise<string> {
  const batch = { name: 'Day', count: 1, minutes: 60, devices: 50, valid_days: 30, characters, length: 8 };
  return (await call('voucher/create', batch)).data.codes[0]!;
}

it('takes a voucher in every way that it is typed, and counts no try', async () => {
  const page = await arrive();
  for (const code of [await voucher('digits'), await voucher('mixed')])
    for (const typed of [
      split(code, ' '),
      `\u3000${code} `,
      split(code, '-'),
      split(code, '\u2014'),
      split(code, '\u200b'),
      wide(code),
      code.toLowerCase(),
      wide(code.toLowerCase()),
    ])
      expect([typed, isIn(await submit(page, 'voucher', { voucher: typed }))]).toEqual([typed, true]);
  for (let n = 0; n < guessLimits.device; n += 1)
    expect(alertOf(await submit(page, 'voucher', { voucher: 'AAAAAAAA' }))).toMatch(/^There is no such voucher/);
});

it.each(['Lobby-2026 ', '\u3000Lobby-2026', 'Lobby -2026', wide('Lobby-2026'), 'Lobby-\u200b2026'])(
  'takes the fixed password and the password of an account typed as %j',
  async (typed) => {
    await call('member/create', { name: 'Desk', password: 'Lobby-2026', enabled: true, until: null, devices: 50 });
    const page = await arrive();
    expect(isIn(await submit(page, 'password', { password: typed }))).toBe(true);
    expect(isIn(await submit(page, 'account', { name: 'Desk', password: typed }))).toBe(true);
    expect(alertOf(await submit(page, 'password', { password: typed.toLowerCase() }))).toBe('The password is wrong.');
  },
);

it('takes an account name with outer blanks and in any width', async () => {
  const password = 'open4guests';
  for (const name of ['Room12', '周，三'])
    await call('member/create', { name, password, enabled: true, until: null, devices: 50 });
  for (const name of ['Room12 ', '\u3000room12', wide('Room12'), '周，三 ', '周,三'])
    expect([name, isIn(await submit(await arrive(), 'account', { name, password }))]).toEqual([name, true]);
});

describe('codes by text message', () => {
  let count = 0;
  const newPhone = () => {
    count += 1;
    return `137000${String(count).padStart(5, '0')}`;
  };
  const ask = (page: Page, phone: string) => submit(page, 'sms', { phone, step: 'send' });
  const codes = (phone: string) => server.outbox(phone).map(({ params }) => params.code!);
  const wrongOf = (phone: string) => (codes(phone).includes('000000') ? '111111' : '000000');

  it.each([
    ['+86 139 0000 0001', '139-0000-0001'],
    ['0086 13900000001', '1390 000 0001'],
    [wide('13900000001'), '（+86）13900000001'],
  ])('go to %j, and count with %j', async (asked, typed) => {
    const phone = '13900000001';
    clock.advance(86_400_000);
    const sent = codes(phone).length;
    const page = await ask(await arrive(), asked);
    expect(alertOf(page)).toBeNull();
    await expect.poll(() => codes(phone).length).toBe(sent + 1);
    const code = codes(phone).at(-1)!;
    const spaced = await submit(page, 'sms', { phone: typed, code: ` ${split(wide(code), ' ')} ` });
    expect(isIn(spaced)).toBe(true);
  });

  it('have their field on a page that is opened again, and both count until they expire', async () => {
    const [phone, client] = [newPhone(), newClient()];
    await ask(await arrive(client), phone);
    clock.advance(61_000);
    const again = await arrive(client);
    expect(again.html).toContain('name="code"');
    expect(again.html).toContain('within 4 minutes.');
    expect((await arrive()).html).not.toContain('name="code"');
    expect(alertOf(await ask(again, phone))).toBeNull();
    await expect.poll(() => codes(phone).length).toBe(2);
    const [first, second] = codes(phone);
    expect(isIn(await submit(again, 'sms', { phone, code: first! }))).toBe(true);
    expect(alertOf(await submit(again, 'sms', { phone, code: first! }))).toBe('The code is wrong or has expired.');
    expect(isIn(await submit(again, 'sms', { phone, code: second! }))).toBe(true);
    expect((await arrive(client)).html).not.toContain('name="code"');
  });

  it('stay valid for the device that asked, whatever number of devices guesses at them', async () => {
    const phone = newPhone();
    const page = await ask(await arrive(), phone);
    await expect.poll(() => codes(phone).length).toBe(1);
    const [code] = codes(phone);
    const refused = await submit(page, 'sms', { phone, code: wrongOf(phone) });
    expect(refused.html).not.toContain('It is valid for');
    const guess = async (typed: string) => alertOf(await submit(await arrive(), 'sms', { phone, code: typed }));
    for (let n = 0; n < 5; n += 1) expect(await guess(wrongOf(phone))).toBe('The code is wrong or has expired.');
    expect(await guess(code!)).toBe('The code is wrong or has expired.');
    expect(isIn(await submit(page, 'sms', { phone, code: code! }))).toBe(true);
  });

  it('end after five wrong attempts of the device that asked', async () => {
    const phone = newPhone();
    const page = await ask(await arrive(), phone);
    await expect.poll(() => codes(phone).length).toBe(1);
    for (let n = 0; n < 5; n += 1)
      expect(alertOf(await submit(page, 'sms', { phone, code: wrongOf(phone) }))).not.toBeNull();
    expect(alertOf(await submit(page, 'sms', { phone, code: codes(phone)[0]! }))).not.toBeNull();
  });
});
