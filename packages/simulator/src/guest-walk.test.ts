import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { ManualClock } from '@yunxun/edge';
import { TestAuthority } from '@yunxun/edge/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { EdgeGatewayBox } from './box/edge-gateway.ts';
import type { SimulatedDevice } from './device.ts';
import { startGuests } from './guest-walk.ts';

it('logs with its cause, and once, that the portal cannot be reached', async () => {
  const clock = new ManualClock(0);
  let walks = 0;
  const box = Object.assign(Object.create(EdgeGatewayBox.prototype) as EdgeGatewayBox, {
    captured: () => [{ number: walks, person: { habit: { comesAndGoes: true } } }],
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
        return [{ number, person: { habit: { comesAndGoes: true } } }];
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
