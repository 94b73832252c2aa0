import { randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import type { DataOf, remoteReplay } from '@yunxun/contract';
import { type RecordedEvent, readRecordedEvents } from '@yunxun/contract/remote-recording';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../../../../tools/eventually.ts';
import { logHead } from '../../../../test/endpoints.ts';
import { host } from '../../../../test/seed.ts';
import { seedPerson } from '../../../../test/seed-account.ts';
import type { As } from '../../../../test/server.ts';
import { fillUntilStuck } from '../testing/devices.ts';
import { TerminalPage } from '../testing/page.ts';
import { RfbDouble } from '../testing/rfb.ts';
import { RemoteSite } from '../testing/site.ts';

type Replay = DataOf<typeof remoteReplay.replay>;

let site: RemoteSite;
let addresses = 20;

beforeAll(async () => {
  site = await RemoteSite.start();
});
afterEach(async () => {
  await site.endAll();
  await record({ record: true, record_days: 90 });
});
afterAll(() => site.stop());

const query = (text: string, values: unknown[] = []) => site.server.db.query(text, values);

async function record(given: { record?: boolean; record_days?: number }): Promise<void> {
  const { data } = await site.call<{ version: number }>('remote/settings');
  const asked = { enabled: true, ...given, version: data.version };
  expect((await site.call('remote/settings/save', asked)).code).toBe(2000);
}

const row = async (id: string) => {
  const { data } = await site.call<{ list: { id: string; state: string; recording: string }[] }>('remote/list', {
    limit: 50,
  });
  return data.list.find((one) => one.id === id);
};

async function shell() {
  const id = await site.open({ serial: site.identity.serial }, 'shell');
  const agent = await site.join();
  const page = await TerminalPage.of(site.server, id, site.owner);
  await page.shows('box login: ');
  return { id, page, output: agent.output! };
}

async function ended(): Promise<{ id: string; shown: string }> {
  const { id, page } = await shell();
  await end(id);
  return { id, shown: page.shown };
}

/** Ends a session, and waits for its last part. */
async function end(id: string): Promise<void> {
  await site.call('remote/end', { id });
  await expect.poll(() => parts(id)).not.toEqual([]);
}

async function parts(id: string): Promise<Buffer[]> {
  const text = 'select sealed from remote_recording_part where session_id = $1 order by part';
  return (await query(text, [id])).rows.map(({ sealed }) => sealed as Buffer);
}

const replay = (id: string, as?: As) => site.call<Replay>('remote/recording/replay', { id }, as);

async function replayed(id: string): Promise<Replay & { events: RecordedEvent[]; shown: string }> {
  const { code, data } = await replay(id);
  expect(code).toBe(2000);
  const events = data.parts.flatMap((part) => readRecordedEvents(inflateRawSync(Buffer.from(part, 'base64'))));
  const shown = events.flatMap((event) => ('output' in event ? [event.output] : []));
  return { ...data, events, shown: Buffer.concat(shown).toString('latin1') };
}

async function member(role: string, gwids: string[] | null = null): Promise<As> {
  const { accountId } = site.owner;
  const person = await seedPerson(site.server);
  await query(
    'insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, $4, $5)',
    [accountId, person.userId, person.accountId, role, gwids],
  );
  return { token: person.token, account: accountId };
}

it('records nothing until the account wants it, and then from the next session on', async () => {
  const before = await shell();
  expect(await before.page.hears('state')).toMatchObject({ recorded: false });
  await record({ record: true });
  expect((await site.call('remote/settings')).data).toMatchObject({ record: true, record_days: 90 });
  await site.call('remote/end', { id: before.id });
  expect([(await row(before.id))?.recording, (await replay(before.id)).code]).toEqual(['off', 4113]);
});

it('says to a technician before the session that it is recorded', async () => {
  const asked = { serial: site.identity.serial, kind: 'shell', guest: 'Li Wei', purpose: 'Repair', minutes: 30 };
  const { data } = await site.call<{ url: string }>('remote/link/create', asked);
  const secret = data.url.split('/').at(-1);
  expect((await site.call('remote/link/look', { secret }, {})).data).toMatchObject({ recorded: true });
});

it('leaves what is left out of the settings as it is', async () => {
  await record({ record_days: 30 });
  await record({});
  expect((await site.call('remote/settings')).data).toMatchObject({ record: true, record_days: 30 });
});

describe('the recording of a terminal', () => {
  it('has what was shown and its sizes, and not what was typed', async () => {
    let device: Socket | null = null;
    let heard = '';
    const listener = createServer((socket) => {
      device = socket.on('data', (chunk) => {
        heard += chunk.toString('latin1');
      });
      // RFC 1073: asks for the size
      socket.write(Buffer.concat([Buffer.from([255, 253, 31]), Buffer.from('云 login: ')]));
    });
    const peripheral_id = await site.peripheral(`192.168.1.${addresses++}`, listener, { shell_port: 23 });
    const id = await site.open({ peripheral_id }, 'telnet');
    await site.join();
    const page = await TerminalPage.of(site.server, id, site.owner);
    expect(await page.hears('state')).toMatchObject({ recorded: true });
    await page.shows('login: ');
    expect((await replay(id)).code).toBe(4113);
    page.type('root\rhunter2\r');
    await expect.poll(() => heard).toContain('hunter2');
    page.say({ type: 'size', cols: 132, rows: 43 });
    await expect.poll(() => heard).toContain('\xff\xfa\x1f\x00\x84\x00\x2b');
    device!.write('\x1b[1mwelcome\x1b[0m$ ');
    await page.shows('$ ');
    await end(id);
    const found = await replayed(id);
    expect(found.shown).toBe(page.shown);
    expect(found.events.flatMap((event) => ('size' in event ? [event.size] : []))).toEqual([
      { cols: 100, rows: 30 },
      { cols: 132, rows: 43 },
    ]);
    const times = found.events.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(found).toMatchObject({ kind: 'telnet', purpose: 'Repair', user: site.owner.email, guest: null, cut: false });
  });

  it('is sealed in the database', async () => {
    const { id } = await ended();
    const [deflated] = (await replayed(id)).parts.map((part) => Buffer.from(part, 'base64'));
    const [sealed] = await parts(id);
    expect(sealed!.length).toBeGreaterThan(deflated!.length);
    expect(sealed!.includes(deflated!.subarray(0, 16))).toBe(false);
  });

  it('does not open in the place of another', async () => {
    const [one, other] = [await ended(), await ended()];
    await query(
      `update remote_recording_part p set sealed = q.sealed from remote_recording_part q
       where p.session_id = $1 and q.session_id = $2`,
      [one.id, other.id],
    );
    expect((await replay(one.id)).code).toBe(500);
  });

  it('is not made of a screen', async () => {
    const peripheral_id = await site.peripheral(`192.168.1.${addresses++}`, new RfbDouble().server, {
      screen_port: 5900,
    });
    const id = await site.open({ peripheral_id }, 'vnc');
    await site.join();
    expect((await row(id))?.recording).toBe('off');
  });

  it('ends before its session when it grows too large', async () => {
    const { id, page, output } = await shell();
    const noise = Buffer.concat([randomBytes(9 * 1024 * 1024), Buffer.from('end of noise')]);
    output.write(noise);
    await page.shows('end of noise');
    await expect.poll(async () => (await row(id))?.recording).toBe('cut');
    page.type('still here');
    await page.shows('still here');
    await end(id);
    const found = await replayed(id);
    expect(found.cut).toBe(true);
    expect(`box login: ${noise.toString('latin1')}`.startsWith(found.shown)).toBe(true);
    expect(found.shown.length).toBeGreaterThan(7 * 1024 * 1024);
  });

  it('slows down a device whose output is not yet written', async () => {
    const { page, output, id } = await shell();
    const client = await site.server.db.database.systemPool.connect();
    await client.query('begin');
    await client.query('lock table remote_recording_part in share mode');
    const piece = Buffer.alloc(4096, 'y');
    const sent = await fillUntilStuck(output, piece).finally(() => client.query('rollback'));
    client.release();
    await expect.poll(() => page.bytes).toBe(sent * piece.length + 'box login: '.length);
    await end(id);
    await expect.poll(async () => (await replayed(id)).shown.length).toBe(page.bytes);
  });

  it('ends its session when it cannot be written', async () => {
    const { id, page, output } = await shell();
    await query('alter table remote_recording_part add constraint broken check (part < 0) not valid');
    try {
      output.write(randomBytes(300 * 1024));
      expect(await page.hears('end')).toMatchObject({ reason: 'not_recorded' });
    } finally {
      await query('alter table remote_recording_part drop constraint broken');
    }
    await expect.poll(() => row(id)).toMatchObject({ state: 'ended', end_reason: 'not_recorded', recording: 'cut' });
  });
});

describe('a replay', () => {
  it('is entered in the log each time', async () => {
    const { id } = await ended();
    const before = await logHead(site.server, site.owner.accountId);
    await replay(id);
    await replay(id);
    expect(await logHead(site.server, site.owner.accountId)).toBe(before + 2);
    const { data } = await site.call<{ list: object[] }>('log/action/list', { limit: 10 });
    expect(data.list[0]).toMatchObject({ action: 'remote.replay', object: { id: site.identity.serial } });
  });

  it('needs its own permission, the network and the account', async () => {
    const { id } = await ended();
    const operator = await replay(id, await member('operator'));
    expect(operator).toMatchObject({ code: 4101, data: { permission: 'remote.replay', reason: 'permission' } });
    const { data: other } = await site.call<{ gwid: string }>('network/create', { remark: 'Elsewhere' });
    expect((await replay(id, await member('admin', [other.gwid]))).code).toBe(4113);
    expect((await replay(id, await member('admin', [site.gwid]))).code).toBe(2000);
    const stranger = await seedPerson(site.server);
    expect((await replay(id, stranger)).code).toBe(4113);
    await host(site.server, site.owner.accountId, stranger.accountId, ['network.read', 'remote.use', 'remote.replay']);
    expect((await replay(id, { token: stranger.token, account: site.owner.accountId })).code).toBe(2000);
  });

  it('is over when the recording is deleted, which the log says', async () => {
    const { id } = await ended();
    const before = await logHead(site.server, site.owner.accountId);
    const remove = (as?: As) => site.call('remote/recording/delete', { id }, as);
    expect(await remove(await member('operator'))).toMatchObject({ code: 4101, data: { permission: 'account.write' } });
    expect((await remove()).code).toBe(2000);
    expect(await logHead(site.server, site.owner.accountId)).toBe(before + 1);
    expect([await parts(id), (await row(id))?.recording, (await replay(id)).code]).toEqual([[], 'deleted', 4113]);
    expect((await remove()).code).toBe(4113);
  });
});

it('is kept for the days that the account wants', async () => {
  const [old, recent] = [await ended(), await ended()];
  await record({ record_days: 30 });
  await query("update remote_session set ended_at = now() - interval '31 days' where id = $1", [old.id]);
  await query("update remote_session set ended_at = now() - interval '29 days' where id = $1", [recent.id]);
  await site.server.db.database.systemPool.query("select graphile_worker.add_job('remote-prune')");
  await expect.poll(async () => (await row(old.id))?.recording).toBe('deleted');
  expect([await parts(old.id), (await row(recent.id))?.recording]).toEqual([[], 'kept']);
});

it('is written to its end when the server stops', async () => {
  const { id, page } = await shell();
  await site.server.restart();
  await eventually(async () => expect(page.closed).not.toBeNull());
  expect((await replayed(id)).shown).toBe(page.shown);
});
