import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeSmtp, startFakeSmtp } from '../../../../test/fake-smtp.ts';
import { administrator, smtp } from '../../installation/testing/administrator.ts';
import { htmlOf, htmlText } from '../../reports/testing/mail-parts.ts';
import * as fixture from '../testing/fixture.ts';
import { hook, run, save, startHook } from '../testing/notify.ts';

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

it('shows the level of each alarm by colour, shape and word', async () => {
  const admin = await administrator(fixture.server);
  await fixture.start();
  await fixture.call('install/mail/save', { ...smtp(mailServer.port), provider: 'smtp', password: 'p' }, admin);
  await save({ members: [fixture.owner.userId], member_channels: ['email'], endpoints: [] });
  await fixture.call('alarm_rule/save', {
    rule: {
      kind: 'switch_offline',
      enabled: true,
      level: 'GENERAL',
      tolerance: 300,
      threshold: null,
      scope: { type: 'all', ids: [] },
    },
  });
  const htmls = () => mailServer.mails.filter(({ to }) => to.includes(fixture.owner.email)).map(htmlOf);
  await fixture.lose(await fixture.devices('gateway', 1));
  await run(4);
  await expect.poll(() => htmls().map(htmlText).join()).toContain('\u25B2&nbsp;Critical');
  expect(htmls()[0]).toMatch(/color:#b3261e[^>]*>\u25B2/);
  const branch = await fixture.network('Branch');
  await fixture.query("update network set remark = 'Branch & Co' where gwid = $1", [branch]);
  await fixture.devices('gateway', 1, branch);
  await fixture.lose(await fixture.devices('switch', 1, branch));
  await run(6);
  await expect.poll(() => htmls().join()).toMatch(/color:#37558c[^>]*>\u25CF&nbsp;Minor/);
  expect(htmls().join()).toContain('Branch &amp; Co');
});
