import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { radius as contract, DataOf } from '@yunxun/contract';
import { type Registered, startTestServer, type TestServer, type TestServerOptions } from '../../../../test/server.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createAccountKeys } from '../../../platform/crypto/account-keys.ts';
import { createSealer } from '../../../platform/crypto/index.ts';
import { silentLog } from '../../../platform/log.ts';
import { createDisconnect, type DisconnectOutcome } from '../disconnect.ts';
import type { GuestAccounting, GuestGate, GuestGrant, GuestRequest } from '../guest-gate.ts';
import { createNasIndex } from '../nas-index.ts';

/** Knows one-time credentials and records accounting. */
export interface TestGate extends GuestGate {
  credentials: Map<string, { password: string; grant: GuestGrant }>;
  asked: GuestRequest[];
  gwid: string;
  events: GuestAccounting[];
  isBroken: boolean;
  /** Holds requests. @returns the release */
  hold(): () => void;
}

const limits = { minutes: 60, times_per_day: 0, up_kbps: 512, down_kbps: 2048, devices: 1 };

export function makeGate(): TestGate {
  let held = Promise.resolve();
  const gate: TestGate = {
    hold() {
      let go = () => {};
      held = new Promise((resolve) => {
        go = resolve;
      });
      return go;
    },
    credentials: new Map(),
    asked: [],
    gwid: '',
    events: [],
    isBroken: false,
    async redeem({ gwid }, request) {
      gate.asked.push(request);
      await held;
      if (gwid !== gate.gwid) return 'unknown_user';
      const known = gate.credentials.get(request.username);
      if (!known || !request.proves(known.password)) return 'unknown_user';
      gate.credentials.delete(request.username);
      return known.grant;
    },
    async accountAll(reports) {
      if (gate.isBroken) return reports.map(() => new Error('broken by the test'));
      gate.events.push(...reports.map(({ event }) => event));
      return reports.map(() => null);
    },
  };
  return gate;
}

export const grantOf = (sessionId: string): GuestGrant => ({ sessionId, limits, secondsLeft: 3600, maxBytes: 0 });

export type NasRow = DataOf<typeof contract.nasList>['list'][number];

export interface RadiusServer {
  server: TestServer;
  gate: TestGate;
  owner: Registered;
  gwid: string;
  auth: number;
  acct: number;
  nas(more?: object): Promise<{ id: string; secret: string; source: string }>;
  state(id: string): Promise<NasRow | undefined>;
  disconnect(acctSessionId: string): Promise<DisconnectOutcome>;
}

const opened = { port: 0, isChosen: true };
let lastAddress = 1;

export async function startRadius(options: TestServerOptions = {}): Promise<RadiusServer> {
  const gate = makeGate();
  const config = { radiusAuthPort: opened, radiusAcctPort: opened };
  const server = await startTestServer({ ...options, guestGate: gate, config });
  const owner = await server.register();
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' }, owner);
  gate.gwid = data.gwid;
  const { auth, acct } = server.program.radiusPorts;
  let made = 0;
  return {
    server,
    gate,
    owner,
    gwid: data.gwid,
    auth: auth!,
    acct: acct!,
    async nas(more = {}) {
      made += 1;
      lastAddress += 1;
      const source = `127.0.0.${lastAddress}`;
      const given = {
        name: `NAS-${made}`,
        gwid: data.gwid,
        source,
        identifier: null,
        require_ma: false,
        coa_port: 3799,
      };
      const answer = await server.call<{ id: string; secret: string }>(
        '/api/v3/radius/nas/create',
        { ...given, ...more },
        owner,
      );
      if (answer.code !== 2000) throw new Error(JSON.stringify(answer));
      return { ...answer.data, source };
    },
    async state(id) {
      const list = await server.call<{ list: NasRow[] }>('/api/v3/radius/nas/list', { limit: 200 }, owner);
      return list.data.list.find((row) => row.id === id);
    },
    async disconnect(acctSessionId) {
      // a restart closes the first one
      const database = await server.db.reopen();
      const { bus } = server.program;
      const keys = createAccountKeys(createSealer(server.db.masterKey));
      const index = createNasIndex({ database, bus, keys, log: silentLog(), clock: systemClock });
      await index.start();
      const disconnect = createDisconnect({ database, bus, index, clock: systemClock });
      return disconnect(owner.accountId, data.gwid, acctSessionId).finally(async () => {
        index.stop();
        await database.close();
      });
    },
  };
}

export interface Sender {
  answers: Buffer[];
  send(data: Buffer, port: number): void;
  next(): Promise<void>;
  close(): void;
}

export async function senderAt(address: string): Promise<Sender> {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  const answers: Buffer[] = [];
  socket.on('message', (data) => answers.push(data));
  return {
    answers,
    send: (data, port) => socket.send(data, port, '127.0.0.1'),
    async next() {
      await once(socket, 'message');
    },
    close: () => socket.close(),
  };
}
