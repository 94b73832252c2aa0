import type { PortalContent } from '@yunxun/contract';
import { expect, it } from 'vitest';
import type { Frame } from './frame.ts';
import { sponsorPage } from './methods/sponsor/pages.ts';
import { errorPage } from './pages.ts';

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
