import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Clock } from '../src/platform/clock.ts';
import { type Config, readConfig } from '../src/platform/config.ts';
import type { Database } from '../src/platform/database/index.ts';
import { type Log, silentLog } from '../src/platform/log.ts';
import { type Program, type ProgramOptions, startProgram } from '../src/program.ts';
import { createServerDatabase, type TestDatabase } from './database.ts';

export interface Answer<T = unknown> {
  status: number;
  code: number;
  message: string;
  data: T;
  token?: string;
  errors?: Record<string, string[]>;
  headers: Headers;
}

export interface As {
  token?: string;
  account?: string;
  viewAs?: string;
  locale?: string;
  /** Client address that a local proxy reports. */
  from?: string;
}

export interface OutboxLine {
  at: string;
  channel: string;
  to: string;
  template: string;
  params: Record<string, string>;
  text: string;
}

export interface TestServer {
  program: Program;
  url: string;
  config: Config;
  db: TestDatabase;
  call<T = unknown>(path: string, body?: unknown, as?: As): Promise<Answer<T>>;
  get<T = unknown>(path: string, as?: As): Promise<Answer<T>>;
  outbox(to: string): OutboxLine[];
  register(): Promise<Registered>;
  /** Restarts on the same data; `meanwhile` runs in between. */
  restart(meanwhile?: (database: Database) => void | Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export interface Registered {
  token: string;
  email: string;
  password: string;
  accountId: string;
  userId: string;
  bindingCode: string;
}

export const loginOf = ({ email, password }: Pick<Registered, 'email' | 'password'>) => ({ email, password });

export interface TestServerOptions {
  clock?: Clock;
  log?: Log;
  db?: TestDatabase;
  databaseDir?: string;
  config?: Partial<Config>;
  /** 1: the real rate limits. */
  limitFactor?: number;
  providerEndpoints?: ProgramOptions['providerEndpoints'];
  paymentEndpoints?: ProgramOptions['paymentEndpoints'];
  /** Default true: tests pay in the sandbox. */
  demo?: boolean;
  portalTemplates?: ProgramOptions['portalTemplates'];
  edgeDir?: string;
  guestGate?: ProgramOptions['guestGate'];
  resolveHost?: ProgramOptions['resolveHost'];
  /** Whether recurring tasks run by the clock of the machine; otherwise only when a test enqueues them. */
  recurring?: boolean;
}

/** Loopback and ephemeral ports. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const db = options.db ?? (await createServerDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'yunxun-test-'));
  const config: Config = {
    ...readConfig({}),
    dataDir,
    host: '127.0.0.1',
    httpPort: 0,
    devicePort: 0,
    portalPort: 0,
    remotePort: 0,
    remoteAddress: '127.0.0.1',
    radiusAuthPort: null,
    radiusAcctPort: null,
    publicUrl: 'http://localhost',
    deviceHost: 'localhost',
    diskReserveBytes: 0,
    privateSmtp: true,
    privateWebhooks: true,
    ...options.config,
  };
  const launch = (database = db.database) =>
    startProgram({
      config,
      database,
      masterKey: db.masterKey,
      log: options.log ?? silentLog(),
      webDir: null,
      ingestWorker: inject('ingestWorker'),
      pictureWorker: inject('pictureWorker'),
      limitFactor: options.limitFactor ?? 10_000,
      demo: options.demo ?? true,
      recurring: options.recurring ?? false,
      remoteSweep: 200,
      ...(options.clock ? { clock: options.clock } : {}),
      ...(options.databaseDir === undefined ? {} : { databaseDir: options.databaseDir }),
      ...(options.edgeDir === undefined ? {} : { edgeDir: options.edgeDir }),
      ...(options.portalTemplates ? { portalTemplates: options.portalTemplates } : {}),
      ...(options.guestGate ? { guestGate: options.guestGate } : {}),
      ...(options.resolveHost ? { resolveHost: options.resolveHost } : {}),
      ...(options.paymentEndpoints ? { paymentEndpoints: options.paymentEndpoints } : {}),
      ...(options.providerEndpoints ? { providerEndpoints: options.providerEndpoints } : {}),
    });
  const removeData = () => rm(dataDir, { recursive: true, force: true });
  const program = await launch().catch(async (error: unknown) => {
    if (!options.db) await db.drop();
    await removeData();
    throw error;
  });
  const server: TestServer = {
    program,
    url: '',
    config,
    db,
    call: (path, body = {}, as = {}) => request(server.url + path, 'POST', as, body),
    get: (path, as = {}) => request(server.url + path, 'GET', as),
    outbox: (to) => outboxLines(config.dataDir).filter((line) => line.to === to),
    register: () => register(server),
    async restart(meanwhile) {
      await server.program.stop();
      const database = await db.reopen();
      await meanwhile?.(database);
      server.program = await launch(database);
      server.url = `http://127.0.0.1:${server.program.httpPort}`;
    },
    async stop() {
      await server.program.stop();
      await db.drop();
      await removeData();
    },
  };
  server.url = `http://127.0.0.1:${server.program.httpPort}`;
  return server;
}

async function request<T>(url: string, method: string, as: As, body?: unknown): Promise<Answer<T>> {
  const response = await fetch(url, {
    method,
    headers: {
      localization: as.locale ?? 'en',
      ...(as.token ? { authorization: `Bearer ${as.token}` } : {}),
      ...(as.from ? { 'x-forwarded-for': as.from } : {}),
      ...(as.account ? { account: as.account } : {}),
      ...(as.viewAs ? { 'view-as': as.viewAs } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Omit<Answer<T>, 'status' | 'headers'>;
  return { ...answer, status: response.status, headers: response.headers };
}

function outboxLines(dataDir: string): OutboxLine[] {
  const file = join(dataDir, 'outbox.ndjson');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as OutboxLine);
}

async function register(server: TestServer): Promise<Registered> {
  const email = `owner${randomInt(1e9)}${randomInt(1e9)}@example.com`;
  const password = 'correct1horse';
  await server.call('/api/v3/register/get_email_code', { email });
  const code = server.outbox(email).at(-1)!.params.code!;
  const { token } = await server.call('/api/v3/register', {
    email,
    email_code: code,
    password,
    confirm_password: password,
  });
  if (!token) throw new Error('registration failed');
  const { data } = await server.get<{ id: string; account_id: string; account_code: string }>('/api/v3/user', {
    token,
  });
  return { token, email, password, accountId: data.account_id, userId: data.id, bindingCode: data.account_code };
}
