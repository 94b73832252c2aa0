import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import type { ConfigurationDocument } from '@yunxun/contract/device';
import { ManualClock } from '@yunxun/edge';
import { TestAuthority } from '@yunxun/edge/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { AccessPointBox } from './box/access-point.ts';
import { EdgeGatewayBox } from './box/edge-gateway.ts';
import type { SimulatedDevice } from './device.ts';
import { startGuests } from './guest-walk.ts';
import { wirelessDocument, workbench } from './testing.ts';
import { attributeOf, encodeRadius, radiusAttributes, signRadius } from './uspot/radius-frame.ts';
import { SimulatedUspot } from './uspot/uspot.ts';

const person = { habit: { comesAndGoes: true, fingerprint: { vendor: 'Apple', class: 'phone' } } };

it('logs with its cause, and once, that the portal cannot be reached', async () => {
  const clock = new ManualClock(0);
  let walks = 0;
  const box = Object.assign(Object.create(EdgeGatewayBox.prototype) as EdgeGatewayBox, {
    captured: () => [{ number: walks, person }],
    captiveApi: () => null,
    redirect: () => {
      walks += 1;
      // `fetch` refuses this port
      return 'http://127.0.0.1:9/';
    },
  });
  const lines: string[] = [];
  const end = startGuests(
    { devices: [{ box } as unknown as SimulatedDevice] },
    {
      perMinute: 60,
      language: 'en',
      password: '',
      vouchers: [],
      accounts: [],
      clock,
      log: (line) => lines.push(line),
    },
  );
  await expect.poll(() => lines).toHaveLength(1);
  clock.advance(3000);
  expect(walks).toBe(4);
  // the last walk has failed too
  await expect(fetch('http://127.0.0.1:9/')).rejects.toThrow();
  expect(lines).toEqual(['guest: TypeError: fetch failed: bad port']);
  end();
});

describe('a phone with DHCP option 114', () => {
  const authority = new TestAuthority();
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });
  async function portOf(server: Server): Promise<number> {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  /** Serves the API behind a gateway's line, and counts what guests open. */
  async function portal(body: string, ca: string) {
    const opened: string[] = [];
    const lines: string[] = [];
    const pages = createServer((request, response) => {
      opened.push(request.url ?? '');
      response.end('<p>page</p>');
    });
    const origin = `http://127.0.0.1:${await portOf(pages)}`;
    const { certificate: cert, key } = authority.server('127.0.0.1');
    const tls = createSecureServer({ cert, key }, (socket) => {
      const answer = body.replace('ORIGIN', origin);
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`));
    });
    const door = createTcpServer((socket: Socket) =>
      socket.once('readable', () => {
        const first = socket.read() as Buffer;
        const end = first.indexOf('\n') + 1;
        lines.push(first.subarray(0, end).toString());
        socket.unshift(first.subarray(end));
        tls.emit('connection', socket);
      }),
    );
    const url = `https://127.0.0.1:${await portOf(door)}/p/key/api`;
    let number = 0;
    const box = Object.assign(Object.create(EdgeGatewayBox.prototype) as EdgeGatewayBox, {
      captured: () => {
        number += 1;
        return [{ number, person }];
      },
      redirect: () => `${origin}/redirect`,
      captiveApi: () => ({ url, line: 'YUNXUN line\n' }),
    });
    const clock = new ManualClock(0);
    const failures: string[] = [];
    const end = startGuests(
      { devices: [{ box } as unknown as SimulatedDevice] },
      {
        perMinute: 60,
        language: 'en',
        password: '',
        vouchers: [],
        accounts: [],
        clock,
        ca,
        log: (line) => failures.push(line),
      },
    );
    clock.advance(20_000);
    return { opened, lines, failures, end };
  }

  it('opens the page that the Captive Portal API names, some phones the redirect', async () => {
    const body = '{"captive":true,"user-portal-url":"ORIGIN/page"}';
    const { opened, lines, failures, end } = await portal(body, authority.certificate);
    await expect.poll(() => opened).toEqual(expect.arrayContaining(['/page', '/redirect']));
    expect(new Set(lines)).toEqual(new Set(['YUNXUN line\n']));
    end();
    expect(failures).toEqual([]);
  });

  it.each(['{"captive":false}', 'no JSON'])('falls back to the redirect without a failure: %s', async (body) => {
    const { opened, lines, failures, end } = await portal(body, authority.certificate);
    await expect.poll(() => opened.length).toBeGreaterThan(15);
    expect(lines).not.toEqual([]);
    expect(opened).not.toContain('/page');
    end();
    expect(failures).toEqual([]);
  });
});

describe('a guest of access points', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** Shows a sign-in, sends to the access point, and knows again whom it has sent. */
  async function portal(): Promise<string> {
    const sent = new Set<string>();
    const pages = createServer((request, response) => {
      const query = new URL(request.url ?? '', 'http://portal').searchParams;
      const [mac, gate] = [query.get('mac') ?? '', `http://${query.get('uamip')}:${query.get('uamport')}`];
      const isSignedIn = request.method === 'POST' || (query.get('res') === 'notyet' && sent.has(mac));
      if (isSignedIn) sent.add(mac);
      const logon = `<meta http-equiv="refresh" content="0;url=${gate}/logon?username=${mac}&amp;response=00">`;
      const form = `<form method="post" action="?${query}"><input name="way" value="one_click"></form>`;
      const online = `<a class="button" href="${gate}/logoff">Sign out</a>`;
      response.end(isSignedIn ? logon : query.get('res') === 'notyet' ? form : online);
    });
    servers.push(pages.listen(0, '127.0.0.1'));
    await once(pages, 'listening');
    return `http://127.0.0.1:${(pages.address() as AddressInfo).port}/uam`;
  }

  interface Accounted {
    serial: string;
    user: string;
    session: string;
    kind: number;
    down: number;
  }
  const [start, stop, interim] = [1, 2, 3];

  it('is let in by the one it joined, counted there, and goes on at the next without another sign-in', async () => {
    const bench = workbench({ aps: 2 });
    const captive = {
      'uam-server': await portal(),
      'uam-port': 3990,
      'acct-interval': 60,
      'auth-secret': 'secret',
      'acct-secret': 'secret',
    };
    const document: ConfigurationDocument = { ...wirelessDocument(2), services: { captive } };
    const [wan] = document.interfaces as { ssids: Record<string, unknown>[] }[];
    wan!.ssids[1]!.services = ['captive'];
    const events: Accounted[] = [];
    const boxes = bench.boxes.filter((box) => box instanceof AccessPointBox);
    for (const box of boxes) {
      const uspot: SimulatedUspot = new SimulatedUspot({
        serial: box.serial,
        speedUp: 1,
        address: () => box.address,
        document: () => document,
        stations: (ssids) => box.spotStations(ssids),
        nowMs: () => bench.clock.now(),
        send(kind, data) {
          const sent = radiusAttributes(data);
          const [text, number] = [
            (type: number) => attributeOf(sent, type)!.toString(),
            (type: number) => attributeOf(sent, type)!.readUInt32BE(),
          ];
          if (kind === 'acct')
            events.push({
              serial: box.serial,
              user: text(1),
              session: text(44),
              kind: number(40),
              down: number(43),
            });
          const answer = encodeRadius(kind === 'acct' ? 5 : 2, data[1]!, data.subarray(4, 20), [
            [33, attributeOf(sent, 33)!],
          ]);
          uspot.take(kind, signRadius(answer, 'secret'));
        },
      });
      box.uspot = uspot;
    }
    const failures: string[] = [];
    const end = startGuests(
      { devices: boxes.map((box) => ({ box }) as unknown as SimulatedDevice) },
      {
        perMinute: 20,
        language: 'en',
        password: '',
        vouchers: [],
        accounts: [],
        clock: bench.clock,
        log: (line) => failures.push(line),
      },
    );
    const placesOf = (one: string) =>
      new Set(events.filter(({ user, kind }) => user === one && kind === start).map(({ serial }) => serial));
    await expect
      .poll(
        () => {
          bench.pass(0.1);
          return events.some(({ user }) => placesOf(user).size === 2) && events.some(({ kind }) => kind === stop);
        },
        { timeout: 15_000, interval: 5 },
      )
      .toBe(true);
    end();
    expect(failures).toEqual([]);
    const guest = events.find(({ kind, down }) => kind === interim && down > 0)!;
    const totals = events.filter(({ session }) => session === guest.session).map(({ down }) => down);
    expect(totals).toEqual(totals.toSorted((a, b) => a - b));
    const reported = boxes.flatMap((box) => Object.values(box.state(bench.clock.now()).captive ?? {}));
    const counted = reported.filter(({ bytes_dl: bytes = 0, packets_dl: packets = 0 }) => bytes > 0 && packets > 0);
    expect(new Set(counted.map(({ status }) => status))).toEqual(new Set(['Authenticated']));
    const users = new Set(events.map(({ user }) => user.replaceAll('-', ':')));
    const strangers = boxes.flatMap((box) => box.captured()).filter(({ mac }) => !users.has(mac));
    expect(new Set(strangers.map(({ association }) => association!.traffic.txBytes))).toEqual(new Set([0]));
  });
});
