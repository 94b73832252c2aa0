import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeSmtp, startFakeSmtp } from '../../../../test/fake-smtp.ts';
import { administrator, smtp } from '../../installation/testing/administrator.ts';
import { htmlOf, textOf } from '../../reports/testing/mail-parts.ts';
import * as fixture from '../testing/fixture.ts';
import { hook, run, save, startHook } from '../testing/notify.ts';
import { decrypt, startPushService, subscribe } from '../testing/push-service.ts';

let mailServer: FakeSmtp;

beforeAll(async () => {
  mailServer = await startFakeSmtp();
  await startHook();
  await fixture.startFixture();
});
afterAll(async () => {
  await fixture.stopFixture();
  await hook.stop();
  await mailServer.stop();
});

it('shows old names without bidirectional controls, to people and programs', async () => {
  const admin = await administrator(fixture.server);
  await fixture.start();
  const pushes = await startPushService();
  const browser = subscribe(pushes);
  try {
    await fixture.call('alarm_browser/save', { name: 'Phone', ...browser.subscription });
    await fixture.call('install/mail/save', { ...smtp(mailServer.port), provider: 'smtp', password: 'p' }, admin);
    const endpoints = (['webhook', 'slack', 'wecom', 'dingtalk', 'feishu'] as const).map((type) => ({
      type,
      url: `${hook.url}/${type}`,
    }));
    const { id } = await save({
      members: [fixture.owner.userId],
      member_channels: ['email', 'web_push'],
      endpoints,
    });
    const old = '\u200fLob\u202eby\u2066';
    await fixture.query('update alarm_subscription set name = $2 where id = $1', [id, old]);
    await fixture.query('update network set remark = $2 where gwid = $1', [fixture.gwid, old]);
    await fixture.lose(await fixture.devices('gateway', 1));
    await run(4);
    const mails = () => mailServer.mails.filter(({ to }) => to.includes(fixture.owner.email));
    await expect.poll(() => mails().length).toBe(1);
    const [mail] = mails();
    const shown = [
      ...hook.requests.map(({ body }) => body),
      ...pushes.requests.map(({ body }) => JSON.stringify(decrypt(browser, body))),
      mail!.headers.subject!,
      textOf(mail!),
      htmlOf(mail!),
    ];
    expect(shown).toHaveLength(endpoints.length + 1 + 3);
    for (const text of shown) {
      expect(text).toContain('Lobby');
      expect(text).not.toMatch(/\p{Bidi_Control}|\\u20|\\u06/u);
    }
  } finally {
    await pushes.stop();
  }
});
