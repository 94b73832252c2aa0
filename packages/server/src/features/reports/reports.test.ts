import type { DataOf, home } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signInAgain } from '../../../test/seed-account.ts';
import * as fixture from './testing/fixture.ts';
import { htmlText, pdfText } from './testing/mail-parts.ts';

const { call, clock, device, list, mails, member, outage, passTo, query, report, run, save } = fixture;

beforeAll(fixture.startFixture);
afterAll(fixture.stopFixture);
beforeEach(fixture.start);

/** Saturday, 24 October. */
async function sentTo(email: string) {
  passTo('2026-10-25T09:00:00Z');
  await run();
  const mail = mails().get(email);
  if (!mail) throw new Error(`no mail to ${email}`);
  return mail;
}

describe('settings', () => {
  it('are saved, changed, undone and deleted, each with its row in the log', async () => {
    const { id } = await save();
    expect(await list()).toMatchObject({
      time_zone: 'Europe/Berlin',
      mail: true,
      list: [{ id, ...report(), next_at: '2026-10-25T09:00:00.000Z', last: [] }],
    });
    await call('report/save', { id, version: 1, ...report({ enabled: false, period: 'week', weekday: 5 }) });
    expect((await list()).list).toMatchObject([{ enabled: false, period: 'week', weekday: 5, next_at: null }]);
    const log = () => call<{ list: { seq: number; action: string }[] }>('log/action/list', { page: 1, limit: 10 });
    const [change] = (await log()).list;
    await call('log/action/undo', { seq: change!.seq });
    expect((await list()).list).toMatchObject([{ enabled: true, period: 'day' }]);
    await call('report/delete', { id });
    expect((await list()).list).toEqual([]);
    await call('log/action/undo', { seq: (await log()).list[0]!.seq });
    expect((await list()).list).toMatchObject([report()]);
    const actions = (await log()).list.map(({ action }) => action).filter((action) => action.startsWith('report.'));
    expect(actions).toEqual(['report.save', 'report.delete', 'report.save', 'report.save', 'report.save']);
  });

  it('name the field that is wrong', async () => {
    const errorsOf = async (more: object) =>
      Object.keys(
        (await fixture.server.call('/api/v3/report/save', { ...report(), ...more }, fixture.owner)).errors ?? {},
      );
    expect(await errorsOf({ hour: 24 })).toEqual(['hour']);
    expect(await errorsOf({ weekday: 0 })).toEqual(['weekday']);
    expect(await errorsOf({ period: 'month' })).toEqual(['period']);
    expect(await errorsOf({ members: [] })).toEqual(['members']);
    expect(await errorsOf({ members: ['0198a1b2-0000-7000-8000-000000000001'] })).toEqual(['members']);
    const mobileOnly = await member('en');
    await query("update person set email = null, mobile = '13800138000' where id = $1", [mobileOnly.userId]);
    expect(await errorsOf({ members: [mobileOnly.userId] })).toEqual(['members']);
    await save();
    expect((await fixture.server.call('/api/v3/report/save', report(), fixture.owner)).code).toBe(4105);
  });

  it('keep a recipient of an account with many members', async () => {
    await query(
      `with people as (
         insert into person (account_id, id) select $1, gen_random_uuid() from generate_series(1, 201) returning account_id, id)
       insert into member (account_id, person_id, person_account_id, role, created_at)
         select account_id, id, account_id, 'operator', '2026-01-01' from people`,
      [fixture.owner.accountId],
    );
    await save();
    expect((await list()).list[0]!.members).toEqual([fixture.owner.userId]);
  });

  it('are hidden from members of some networks', async () => {
    const gwid = await fixture.telemetry.network('Shop');
    const { token } = await member('en', [gwid]);
    const answer = await fixture.server.call('/api/v3/report/list', {}, { token, account: fixture.owner.accountId });
    expect(answer.code).toBe(4101);
  });
});

describe('a mail', () => {
  it('sends each member the numbers of the home page in their language, as HTML and PDF', async () => {
    const gwid = await fixture.telemetry.network('西湖旗舰店');
    const router = await device(gwid, { kind: 'gateway', gateway: true });
    await outage(router, '2026-10-24T10:00:00Z', '2026-10-24T10:20:00Z', 37);
    const at = new Date('2026-10-24T12:00:00Z');
    const clients = { clients: 9, clients_2g: 1, clients_5g: 4 };
    await fixture.telemetry.reports({
      serial: router,
      gwid,
      at,
      wan_down: 2 * 1024 ** 2,
      wan_up: 1024 ** 2,
      ...clients,
    });
    await fixture.telemetry.visited('020000000001', { day: '2026-10-24', gwid, seconds: 60, hours: [12], isNew: true });
    const zh = await member('zh-CN');
    await save({ members: [fixture.owner.userId, zh.userId] });
    // home shows the same outage
    const night = await call<DataOf<typeof home.night>>('overview/night', { last_day: true });
    expect(night.list[0]!.troubles).toMatchObject([{ seconds: 1200, clients: 37, cause: 'power', whole: true }]);

    const english = await sentTo(fixture.owner.email);
    expect(english.subject).toBe('[Yunxun] Daily report of Chain, 2026-10-24: 1 network had problems');
    const row = '西湖旗舰店 Network offline: power loss or restart 2026-10-24 12:00 20 min 1 37';
    expect(htmlText(english.html)).toContain(row);
    expect(htmlText(english.html)).toContain('From 2026-10-24 00:00 to 2026-10-25 00:00 (Europe/Berlin)');
    expect(htmlText(english.html)).toMatch(/西湖旗舰店 98\.611% 20 min 3\.00 MB 5 /);
    expect(english.text).toContain('- Networks measured | 1\n');
    expect(english.text).toContain(
      'Network | Problem | Began | Duration | Devices | Clients hit\n- 西湖旗舰店 | Network',
    );
    expect(english.text).toContain('20 min | 1 | 37');
    const pdf = await pdfText(english.pdf);
    expect(pdf.replace(/\s+/g, ' ')).toContain(row);
    expect(pdf).toContain('Page 1 of 1');
    expect(english.pdfName).toBe('yunxun-report-2026-10-25.pdf');

    const chinese = mails().get(zh.email)!;
    expect(chinese.subject).toBe('云巡报告：Chain 日报（2026-10-24），1 个网络出过问题');
    expect(htmlText(chinese.html)).toContain('西湖旗舰店 全网离线：断电或重启 2026-10-24 12:00 20 分钟 1 37');
    expect(htmlText(chinese.html)).toContain('新终端');
    expect(chinese.text).toContain('- 统计的网络 | 1\n');
    const copied = (await pdfText(chinese.pdf)).replace(/\s+/g, '');
    expect(copied).toContain('西湖旗舰店全网离线：断电或重启2026-10-2412:0020分钟137');
    expect(copied).toContain('第1页，共1页');
  });

  it('needs nothing from outside and escapes names', async () => {
    await query(`update account set name = 'A & <b>B</b>' where account_id = $1`, [fixture.owner.accountId]);
    await save();
    const { html, subject } = await sentTo(fixture.owner.email);
    expect(subject).toContain('availability was not measured');
    expect(html).toContain('A &amp; &lt;b&gt;B&lt;/b&gt;');
    expect(html).not.toMatch(/<(style|script|link|img|iframe)|url\(|\ssrc=/i);
    expect([...html.matchAll(/https?:\/\/[^"<]*/g)].map(([url]) => url)).toEqual(['https://console.example.org']);
  });

  it('sends a member limited to some networks nothing about the others', async () => {
    const [near, far] = [await fixture.telemetry.network('Near'), await fixture.telemetry.network('Far-off')];
    for (const gwid of [near, far]) await outage(await device(gwid), '2026-10-24T10:00:00Z', '2026-10-24T10:20:00Z');
    const narrow = await member('en', [near]);
    await save({ members: [narrow.userId] });
    const mail = await sentTo(narrow.email);
    const all = `${mail.subject} ${mail.text} ${mail.html} ${await pdfText(mail.pdf)}`;
    expect(all).toContain('Near');
    expect(all).toContain('1 network had problems');
    expect(all).not.toContain('Far-off');
  });

  it('counts the networks beyond the rows of a table', async () => {
    for (let n = 1; n <= 41; n += 1)
      await outage(
        await device(await fixture.telemetry.network(`Shop-${n}`)),
        '2026-10-24T10:00:00Z',
        '2026-10-24T10:20:00Z',
      );
    await save();
    const { html, pdf } = await sentTo(fixture.owner.email);
    for (const text of [htmlText(html), (await pdfText(pdf)).replace(/\s+/g, ' ')])
      expect(text.match(/1 more row is in the console/g)).toHaveLength(2);
    // two of three tables; Gmail cuts mails of more than 102 KB
    expect(html.length).toBeLessThan((2 / 3) * 102 * 1024);
  });

  it('lists open alarms and backups for members who may read them', async () => {
    const gwid = await fixture.telemetry.network('Shop');
    const router = await device(gwid, { kind: 'gateway', gateway: true });
    await query(
      `insert into alarm (account_id, id, kind, level, state, gwid, serial, part, name, network, began_at, last_at, count, devices_hit, clients_hit)
       values ($1, gen_random_uuid(), 'wan_down', 'FATAL', 'firing', $2, $3, 'wan1', 'GW-1', 'Shop', $4, $4, 1, 1, 12)`,
      [fixture.owner.accountId, gwid, router, new Date('2026-10-25T01:00:00Z')],
    );
    const other = await fixture.telemetry.network('Other');
    // only the first is of the report's day
    await fixture.backup(other, '2026-10-24T10:00:00Z');
    await fixture.backup(other, '2026-10-25T02:00:00Z');
    const guest = await member('en');
    await fixture.limitTo(guest, 'network.read');
    await save({ members: [fixture.owner.userId, guest.userId] });
    const full = htmlText((await sentTo(fixture.owner.email)).html);
    expect(full).toContain('Critical WAN wan1 of GW-1 in Shop is down 2026-10-25 02:00 12');
    expect(full).toContain('1 network was backed up in this period; 1 has never been');
    const less = htmlText(mails().get(guest.email)!.html);
    expect(less).toContain('Shop');
    for (const hidden of ['wan1', 'backed up', 'Traffic']) expect(less).not.toContain(hidden);
  });
});

describe('sending', () => {
  it('happens once for each member and period, also by two processes at once', async () => {
    await save();
    await run();
    expect(mails().size).toBe(0);
    passTo('2026-10-25T09:00:00Z');
    await run({ times: 3 });
    await run();
    expect(mails().size).toBe(1);
    await run();
    expect((await list()).list[0]!.last).toMatchObject([{ state: 'sent', error: null, test: false }]);
    passTo('2026-10-26T09:00:00Z');
    await run();
    expect(fixture.mailServer.mails).toHaveLength(2);
  });

  it('makes a report again that a crash left unmade, and sends only the latest after an absence', async () => {
    await save();
    passTo('2026-10-25T09:00:00Z');
    // what a process leaves that dies after it opened the deliveries
    await query(
      `insert into mail_report_delivery (account_id, id, report_id, person_id, period, sent_day, test, created_at)
       select account_id, gen_random_uuid(), id, $2, period, '2026-10-25', false, $3 from mail_report where account_id = $1`,
      [fixture.owner.accountId, fixture.owner.userId, clock.now()],
    );
    await query("update mail_report set sent_day = '2026-10-25' where account_id = $1", [fixture.owner.accountId]);
    await run();
    expect(mails().size).toBe(1);
    passTo('2026-10-29T20:00:00Z');
    await run();
    expect(fixture.mailServer.mails).toHaveLength(2);
    expect(fixture.mailServer.mails[1]!.headers.subject).toContain('2026-10-28');
  });

  it('waits while the mail server refuses for now, and says why', async () => {
    fixture.mailServer.refusals.set('RCPT TO', '450 4.2.0 try later');
    await save();
    passTo('2026-10-25T09:00:00Z');
    await run();
    expect((await list()).list[0]!.last).toMatchObject([{ state: 'waiting', error: expect.stringContaining('450') }]);
    fixture.mailServer.refusals.clear();
    passTo('2026-10-25T09:10:00Z');
    await fixture.server.db.database.systemPool.query("select graphile_worker.add_job('outbox')");
    await expect.poll(() => mails().size).toBe(1);
  });

  it('ends when a member leaves', async () => {
    const gone = await member('en');
    await save({ members: [fixture.owner.userId, gone.userId] });
    await query('delete from member where person_id = $1 and account_id = $2', [gone.userId, fixture.owner.accountId]);
    expect((await sentTo(fixture.owner.email)).to).toBe(fixture.owner.email);
    expect(mails().has(gone.email)).toBe(false);
    expect((await list()).list[0]!.members).toEqual([fixture.owner.userId]);
  });

  it('keeps the record of a member who left since', async () => {
    const gone = await member('en');
    await save({ members: [gone.userId] });
    passTo('2026-10-25T09:00:00Z');
    await run();
    await query('delete from member where person_id = $1 and account_id = $2', [gone.userId, fixture.owner.accountId]);
    expect((await list()).list[0]!.last).toMatchObject([{ person: 'Former member', state: 'sent' }]);
  });

  it('ends for a member who may no longer see networks, and for a locked account', async () => {
    const changed = await member('en');
    await fixture.limitTo(changed, 'message.read');
    await save({ members: [changed.userId] });
    passTo('2026-10-25T09:00:00Z');
    await run();
    expect((await list()).list[0]!.last).toMatchObject([
      { state: 'failed', error: 'This member has no permission to view networks' },
    ]);
    await query('update account set locked_at = now() where account_id = $1', [fixture.owner.accountId]);
    passTo('2026-10-26T09:00:00Z');
    await run();
    expect(mails().size).toBe(0);
  });

  it('is not tried without a mail server, and the list says so', async () => {
    await fixture.setMail('outbox');
    await save();
    passTo('2026-10-25T09:00:00Z');
    await run();
    expect(await list()).toMatchObject({
      mail: false,
      list: [{ last: [{ state: 'failed', error: 'The installation has no mail server' }] }],
    });
  });

  it('tests a report at once, also a disabled one, and the preview is the same', async () => {
    const gwid = await fixture.telemetry.network('Shop');
    await outage(await device(gwid), '2026-10-24T10:00:00Z', '2026-10-24T10:20:00Z');
    const { id } = await save({ enabled: false });
    await call('report/test', { id });
    await run();
    const mail = mails().get(fixture.owner.email)!;
    expect(mail.subject).toBe('[Yunxun] [Test] Daily report of Chain, 2026-10-24: 1 network had problems');
    expect((await list()).list[0]!.last).toMatchObject([{ state: 'sent', test: true }]);
    const preview = await call<{ subject: string; html: string }>('report/preview', { period: 'day' });
    expect(preview.subject).toBe('Daily report of Chain, 2026-10-24: 1 network had problems');
    expect(preview.html.replace('“Preview”', '“Morning”')).toBe(mail.html.replaceAll('\r\n', '\n').trimEnd());
  });
});

describe('days', () => {
  const next = async () => (await list()).list[0]!.next_at;

  it('have 25 hours when clocks are set back', async () => {
    const gwid = await fixture.telemetry.network('Shop');
    const serial = await device(gwid);
    // across the end of the day of 25 hours
    await outage(serial, '2026-10-25T22:30:00Z', '2026-10-25T23:10:00Z');
    await save();
    passTo('2026-10-26T09:00:00Z');
    await run();
    const html = htmlText(mails().get(fixture.owner.email)!.html);
    expect(html).toContain('2026-10-25 23:30 30 min');
    // 30 of 1,500 minutes
    expect(html).toContain('Shop 98% 30 min');
  });

  it('are sent at an hour that the clock skips an hour later', async () => {
    passTo('2027-03-28T00:30:00Z');
    const who = { ...fixture.owner, personId: fixture.owner.userId };
    const as = await signInAgain(fixture.server, who, clock.now());
    await call('report/save', report({ hour: 2 }), as);
    expect((await list(as)).list[0]!.next_at).toBe('2027-03-28T01:00:00.000Z');
  });

  it('follow the account when its time zone changes', async () => {
    await save();
    expect(await next()).toBe('2026-10-25T09:00:00.000Z');
    await call('account/update', { name: 'Chain', time_zone: 'Asia/Shanghai' });
    expect(await next()).toBe('2026-10-26T02:00:00.000Z');
  });

  it('make a week of seven, sent on its weekday', async () => {
    const gwid = await fixture.telemetry.network('Shop');
    const serial = await device(gwid);
    await outage(serial, '2026-10-18T21:50:00Z', '2026-10-18T22:30:00Z');
    await outage(serial, '2026-10-25T10:00:00Z', '2026-10-25T10:10:00Z');
    await save({ period: 'week', weekday: 1 });
    passTo('2026-10-25T12:00:00Z');
    await run();
    expect(mails().size).toBe(0);
    passTo('2026-10-26T09:00:00Z');
    await run();
    const mail = mails().get(fixture.owner.email)!;
    expect(mail.subject).toContain('Weekly report of Chain, 2026-10-19 to 2026-10-25');
    // half an hour of the first outage lies in the week
    expect(htmlText(mail.html)).toContain('40 min (2 times)');
    expect(htmlText(mail.html)).toContain('2026-10-19 before the first report');
  });
});
