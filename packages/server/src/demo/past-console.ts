import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createBase } from '../base.ts';
import { createFeatures } from '../features.ts';
import { readConfig } from '../platform/config.ts';
import { loadMasterKey } from '../platform/crypto/index.ts';
import { newId } from '../platform/database/index.ts';
import { createHttp } from '../platform/http/server.ts';
import { httpOptionsOf, mountConsole } from '../roles/console.ts';
import type { DeviceRef } from '../uplink/index.ts';
import { type Owner, signIn } from './accounts.ts';
import type { Call } from './call.ts';
import type { DemoWorld } from './stories/story.ts';

/**
 * A console and a portal on the demo's database, with a clock that stories set: for what people and guests did before
 * the demo began.
 */
export interface PastConsole {
  at(moment: Date): void;
  now(): Date;
  as(owner: Owner): Promise<Call>;
  consoleUrl: string;
  portalUrl: string;
  answer(accountId: string, serial: string, reply: (params: Readonly<Record<string, unknown>>) => object): void;
  message(
    accountId: string,
    serial: string,
    sent: { method: string; params: Readonly<Record<string, unknown>>; at: Date },
  ): Promise<void>;
  /** RADIUS over the connection of a device. */
  radius(device: DeviceRef, kind: 'auth' | 'acct', data: Buffer): Promise<Buffer | null>;
  run(task: string): Promise<void>;
  /** The sandbox's own site pays back, or takes a refund back that failed. */
  sandboxRefund(accountId: string, refund: SandboxRefund): Promise<void>;
}

interface SandboxRefund {
  orderNo: string;
  refundNo: string;
  fen: number;
  failure: string | null;
}

const host = '127.0.0.1';
const limitFactor = 1000;

interface Opened {
  past: PastConsole;
  stop(): Promise<void>;
}

const opened = new WeakMap<DemoWorld, Promise<Opened>>();

/** Stories share one, until `leavePast`. */
export async function inThePast<T>(world: DemoWorld, work: (past: PastConsole) => Promise<T>): Promise<T> {
  const known = opened.get(world) ?? openPast(world);
  opened.set(world, known);
  return work((await known).past);
}

export async function leavePast(world: DemoWorld): Promise<void> {
  const known = opened.get(world);
  opened.delete(world);
  await (await known)?.stop();
}

async function openPast(world: DemoWorld): Promise<Opened> {
  const { dataDir, url, owners } = world;
  const { database, log } = world.program;
  let moment = new Date();
  const clock = { now: () => moment };
  const base = await createBase({
    config: {
      ...readConfig({}),
      dataDir,
      host,
      httpPort: 0,
      portalPort: 0,
      remotePort: 0,
      radiusAuthPort: null,
      radiusAcctPort: null,
      publicUrl: url,
      adminEmail: owners[0]?.account.email ?? null,
    },
    database,
    masterKey: loadMasterKey(join(dataDir, 'master.key')),
    log,
    clock,
    webDir: null,
    limitFactor,
    demo: true,
  });
  const stops = [() => base.outbox.stop(), async () => base.storage.stop(), () => base.bus.close()];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const features = createFeatures(base);
    stops.push(async () => {
      for (const feature of features.list) feature.stop?.();
      await features.radius.close();
    });
    await features.radius.load();
    const http = httpOptionsOf(base, features);
    const app = await createHttp(http);
    stops.push(() => app.close());
    await mountConsole(app, http, base, features);
    stops.push(await features.portal.listen(http));
    await app.listen({ host, port: 0 });
    const consoleUrl = `http://${host}:${(app.server.address() as AddressInfo).port}`;
    const tasks: Readonly<Record<string, (payload: never, attempt: number) => Promise<void>>> = Object.assign(
      {},
      ...features.list.map((feature) => feature.tasks),
    );
    const answering = new Map<string, () => void>();
    const past: PastConsole = {
      at(to) {
        moment = to;
      },
      now: clock.now,
      async as({ account }) {
        const then = moment;
        // a session of today is valid on all earlier days
        moment = new Date();
        const { call } = await signIn(consoleUrl, dataDir, account, world.file.memory.password);
        moment = then;
        return call;
      },
      consoleUrl,
      portalUrl: `http://${host}:${features.portal.port()}`,
      answer(accountId, serial, reply) {
        answering.get(serial)?.();
        const end = base.bus.respond(`dev.${accountId}.${serial}.rpc`, async (request) => {
          const { params = {} } = request as { params?: Record<string, unknown> };
          return { serial, uuid: 1, status: reply(params) };
        });
        answering.set(serial, end);
      },
      message: (accountId, serial, { method, params, at }) =>
        features.handlers.message({ accountId, serial }, method, params, at),
      radius: async (device, kind, data) => (await features.handlers.radius?.(device, kind, data)) ?? null,
      async run(task) {
        const known = tasks[task];
        if (!known) throw new Error(`no task ${task}`);
        await known({} as never, 1);
      },
      async sandboxRefund(accountId, { orderNo, refundNo, fen, failure }) {
        const { orders } = features;
        const sandbox = orders.providers.find((provider) => provider.sandbox)!;
        const order = await database.withSystem((tx) => orders.get(tx, accountId, orderNo));
        await sandbox.refund(order, refundNo, fen);
        if (failure) await sandbox.refund(order, `${refundNo}-back`, -fen);
        const progress = failure
          ? ({ state: 'failed', reason: failure } as const)
          : ({ state: 'arrived', reason: '' } as const);
        await orders.apply(sandbox.name, { id: newId(), type: 'refunded', orderNo, fen, refundNo, ...progress });
      },
    };
    return { past, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
