import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Clock } from '../src/platform/clock.ts';
import { type Config, readConfig } from '../src/platform/config.ts';
import type { Database } from '../src/platform/database/index.ts';
import { silentLog } from '../src/platform/log.ts';
import { type Program, type ProgramOptions, startProgram } from '../src/program.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** An answer of the server: the envelope, the status, and what 422 says per field. */
export interface Answer<T = unknown> {
  status: number;
  code: number;
  message: string;
  data: T;
  token?: string;
  errors?: Record<string, string[]>;
  headers: Headers;
}

/** Who calls, in which account, as whose view of it. */
export interface As {
  token?: string;
  account?: string;
  viewAs?: string;
  locale?: string;
}

/** A line of the outbox file. */
export interface OutboxLine {
  at: string;
  channel: string;
  to: string;
  template: string;
  params: Record<string, string>;
  text: string;
}

/** A whole server in this process, on a database and ports of its own. */
export interface TestServer {
  program: Program;
  url: string;
  config: Config;
  db: TestDatabase;
  /** Calls an endpoint as a stranger, or with a token. */
  call<T = unknown>(path: string, body?: unknown, as?: As): Promise<Answer<T>>;
  get<T = unknown>(path: string, as?: As): Promise<Answer<T>>;
  /** What was sent so far to a recipient. */
  outbox(to: string): OutboxLine[];
  /** Registers a fresh account by e-mail through the front door. */
  register(): Promise<Registered>;
  /** Stops the program and starts it again on the same data; `meanwhile` happens while it is away. */
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

export interface TestServerOptions {
  clock?: Clock;
  /** Settings over the defaults of a test. */
  config?: Partial<Config>;
  /** 1 holds the real limits on calls. */
  limitFactor?: number;
  providerEndpoints?: ProgramOptions['providerEndpoints'];
  /** A folder with a built edge agent; without it the console has none to give. */
  edgeDir?: string;
}

/** Starts a server for tests: loopback, ephemeral ports, its own database and data folder. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const db = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'yunxun-test-'));
  const config: Config = {
    ...readConfig({}),
    dataDir,
    host: '127.0.0.1',
    httpPort: 0,
    devicePort: 0,
    portalPort: 0,
    publicUrl: 'http://localhost',
    deviceHost: 'localhost',
    ...options.config,
  };
  const launch = (database = db.database) =>
    startProgram({
      config,
      database,
      masterKey: db.masterKey,
      log: silentLog(),
      webDir: null,
      ingestWorker: inject('ingestWorker'),
      limitFactor: options.limitFactor ?? 10_000,
      ...(options.clock ? { clock: options.clock } : {}),
      ...(options.edgeDir === undefined ? {} : { edgeDir: options.edgeDir }),
      ...(options.providerEndpoints ? { providerEndpoints: options.providerEndpoints } : {}),
    });
  const server: TestServer = {
    program: await launch(),
    url: '',
    config,
    db,
    call: (path, body = {}, as = {}) => request(server.url + path, 'POST', as, body),
    get: (path, as = {}) => request(server.url + path, 'GET', as),
    outbox: (to) => outboxLines(dataDir).filter((line) => line.to === to),
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
      await rm(dataDir, { recursive: true, force: true });
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
