import type { PortalContent } from '@yunxun/contract';
import { expect, it } from 'vitest';
import { errorText, type Frame } from './frame.ts';
import { sponsorPage } from './methods/sponsor/pages.ts';
import { onlinePage } from './online.ts';
import { errorPage, signInPage } from './pages.ts';
import { portalErrors } from './texts.ts';

const both = { zh: '', en: '' };
const page: PortalContent['page'] = {
  title: both,
  text: both,
  terms: both,
  logo: null,
  background: null,
  carousel: [],
  colour: '#1264d8',
  countdown: null,
};
const frame = (locale: Frame['locale']): Frame => ({
  locale,
  page,
  style: '/style',
  otherLanguage: null,
  picture: (id) => id,
});

it('says waits of more than two minutes in minutes', () => {
  const shown = (locale: Frame['locale'], seconds: number) =>
    /role="alert">([^<]+)/.exec(
      errorPage(frame(locale), { reason: 'too_many_device', params: { seconds } }, null),
    )?.[1];
  expect(shown('en', 41)).toBe('Too many attempts from this device. Try again in 41 seconds.');
  expect(shown('en', 541)).toBe('Too many attempts from this device. Try again in 10 min.');
  expect(shown('zh-CN', 41)).toBe('这台设备尝试次数过多，请在 41 秒后再试。');
  expect(shown('zh-CN', 3541)).toBe('这台设备尝试次数过多，请在 60 分钟后再试。');
});

it('puts the name of a guest into the form that answers for this guest', () => {
  const requests = ['Anna', 'Ben'].map((guest, at) => ({ id: String(at), guest }));
  const text = sponsorPage(frame('en'), { requests, action: '/host', token: '', outcome: null });
  const forms = [...text.matchAll(/<form .*?<\/form>/gs)].map(([form]) => form);
  expect(forms.map((form) => ['Anna', 'Ben'].filter((name) => form.includes(name)))).toEqual([['Anna'], ['Ben']]);
});

it('says no code of the console to a guest', () => {
  for (const locale of ['zh-CN', 'en'] as const)
    for (const reason of portalErrors) expect(errorText(locale, { reason })).not.toMatch(/\d{4}/);
});

it('shows what is on sale as rows whose whole area chooses, not as fields of text', () => {
  const terms = { bytes: 0, devices: 2, up_kbps: 0, down_kbps: 0, gwids: null };
  const offers = [
    { id: 'a', name: 'Day', price: '9.90', terms: { ...terms, minutes: 1440, valid_days: 30 } },
    { id: 'b', name: 'Data', price: '19.00', terms: { ...terms, minutes: 0, valid_days: 7, bytes: 300 * 2 ** 20 } },
  ];
  const error = { reason: 'coupon_unknown', way: 'purchase' } as const;
  const typed = { package: 'b', pay: 'alipay', coupon: 'AUTUMN' };
  const data = { purchase: { offers, methods: ['alipay', 'sandbox'], earlier: null } };
  const text = signInPage(frame('en'), { ways: ['purchase'], action: '/', state: '', error, typed, data });
  const rows = [...text.matchAll(/<label class="pick" for="([^"]+)"><input type="radio" id="([^"]+)"[^>]*>/g)];
  expect(rows.map(([, target]) => target)).toEqual(['package-a', 'package-b', 'pay-alipay', 'pay-sandbox']);
  for (const [, target, id] of rows) expect(id).toBe(target);
  expect(rows.filter(([row]) => row.includes(' checked')).map(([, target]) => target)).toEqual([
    'package-b',
    'pay-alipay',
  ]);
  expect(text).toContain('1 day · 2 devices');
  expect(text).toContain('7 days · 300 MB · 2 devices');
  expect(text).toContain('Packages from ¥9.90.');
  const fields = [...text.matchAll(/<input class="field"[^>]*>/g)].map(([field]) => field);
  expect(fields).toEqual([expect.stringMatching(/ value="AUTUMN".* aria-describedby="wrong-purchase"/)]);
});

it('says the data that is left only where it is known, and offers only what works', () => {
  const online = { secondsLeft: 90_000, ends: null, bytesLeft: null, signOut: null, controls: null, jump: null };
  const plain = onlinePage(frame('en'), { ...online, goOn: false });
  expect(plain).toContain('Time left: 25 h');
  expect(plain).not.toMatch(/Data left|<button|class="button/);
  const controls = { base: '/p/', state: 's', extendMinutes: 60, error: null };
  const ends = { day: { date: '2026-11-24' }, time: '15:30' };
  const known = { ...online, bytesLeft: 1.5 * 2 ** 30, ends, controls, goOn: false };
  const text = onlinePage(frame('en'), known);
  for (const shown of ['Data left: 1.5 GB', 'It ends on 2026-11-24 at 15:30.', 'Extend to 1 h', 'Sign out'])
    expect(text).toContain(shown);
});
