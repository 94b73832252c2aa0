import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { asList, asRecord, asText, type EdgePort53Listener, type EdgePort53Refusal } from '@yunxun/contract/device';
import { requestUnits } from '../agent/request-units.ts';
import { readJson, writeDurably } from '../apply/durable.ts';
import { type Clock, wait } from '../clock.ts';
import { type Port53Socket, readSockets } from './sockets.ts';
import { give, listeners, ours, type RootOptions, take } from './take.ts';

export type Port53Op = 'look' | 'take' | 'give';

const ops: ReadonlySet<string> = new Set<Port53Op>(['look', 'take', 'give']);
const answerPath = '/run/yunxun-edge-root/port53.json';
export const recordPath = '/usr/lib/yunxun-edge/port53.json';
/** Milliseconds. */
const [timeout, every, again] = [30_000, 200, 5_000];

/** Stopping a service, and reading the sockets of other users, needs root: a unit runs `answerRequest`. */
export const port53Units = requestUnits({
  name: 'port53',
  file: 'port53',
  description: 'Port 53, asked for by the Yunxun edge agent',
  timeoutSeconds: 60,
});

/** /usr/lib/yunxun-edge/port53: runs root's own agent, which the service user cannot write. */
export const port53Script = `#!/bin/sh
mkdir -p -m 755 /run/yunxun-edge-root
exec "\${YUNXUN_EDGE_NODE:-node}" --max-old-space-size=64 /usr/lib/yunxun-edge/yunxun-edge.mjs port53 "$@"
`;

interface Answer {
  id: string;
  error: string | null;
  listeners: readonly EdgePort53Listener[];
}

/** Runs as root. Ignores a request that is none. */
export async function answerRequest(run: string, root: RootOptions = { record: recordPath }): Promise<void> {
  const [id = '', op = ''] = readFileSync(join(run, 'port53'), 'latin1').slice(0, 128).trim().split(' ');
  if (!/^[\w-]{8,64}$/.test(id) || !ops.has(op)) return;
  const error = await perform(op as Port53Op, root);
  writeDurably(answerPath, JSON.stringify({ id, error, listeners: listeners(root) } satisfies Answer), 0o644);
}

async function perform(op: Port53Op, root: RootOptions): Promise<string | null> {
  try {
    if (op === 'take') await take(root);
    if (op === 'give') await give(root);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export interface Port53Options {
  clock: Clock;
  run: string;
  isRoot: boolean;
  root?: RootOptions;
  sockets?: () => Port53Socket[];
  answers?: string;
  log(line: string): void;
  changed?(): void;
}

export interface Obstacle {
  code: EdgePort53Refusal;
  text: string;
}

export interface Port53 {
  /** Reads the names of listeners when their sockets changed. Never rejects. */
  look(): Promise<void>;
  /** Looks, and returns why our own DNS server could not start; null if it could, as `takes` permits. */
  obstacle(takes: boolean): Promise<Obstacle | null>;
  /** @throws with the reason */
  perform(op: 'take' | 'give'): Promise<void>;
  /** Gives back what a change took that was cut off before it was confirmed. Never rejects. */
  settle(takes: boolean): Promise<void>;
  state(): readonly EdgePort53Listener[];
}

export function createPort53(options: Port53Options): Port53 {
  const { clock, run, isRoot, root = { record: recordPath }, sockets = readSockets, answers = answerPath } = options;
  let known: string | null = '';
  let found: readonly EdgePort53Listener[] = [];
  let looking: Promise<void> | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  /** Sends one request at a time: they share a file. */
  function ask(op: Port53Op): Promise<string | null> {
    const answered = turn.then(() => request(op)).catch((error: Error) => error.message);
    turn = answered;
    return answered;
  }

  async function request(op: Port53Op): Promise<string | null> {
    if (isRoot) {
      const error = await perform(op, root);
      found = listeners(root);
      return error;
    }
    const id = randomUUID();
    for (let waited = 0; waited < timeout; waited += every) {
      // systemd misses a change while the unit still answers the one before
      if (waited % again === 0) writeFileSync(join(run, 'port53'), `${id} ${op}\n`);
      await wait(clock, every);
      const answer = asRecord<Answer>(readJson(answers));
      if (answer.id !== id) continue;
      found = asList(answer.listeners).map(readListener);
      return asText(answer.error, 512);
    }
    return 'no answer from yunxun-edge-port53.service';
  }

  async function lookAround(): Promise<void> {
    const open = sockets();
    const now = open.map(({ protocol, inode }) => `${protocol} ${inode}`).join();
    if (now === known) return;
    const before = found;
    // without root's unit the addresses alone are known
    found = open.map(({ protocol, address }) => ({ protocol, address, process: null, service: null }));
    if (open.length === 0 || (await ask('look')) === null) known = now;
    if (!isDeepStrictEqual(found, before)) options.changed?.();
  }

  function look(): Promise<void> {
    looking ??= lookAround().finally(() => {
      looking = null;
    });
    return looking;
  }

  async function must(op: 'take' | 'give'): Promise<void> {
    const before = found;
    const error = await ask(op);
    // the service may start or end before the next look
    known = null;
    if (!isDeepStrictEqual(found, before)) options.changed?.();
    if (error !== null) throw new Error(error);
  }

  return {
    look,
    async obstacle(takes) {
      await look();
      const others = found.filter(({ service }) => service !== ours);
      const other = others.find(({ service }) => service === null) ?? others[0];
      if (other === undefined) return null;
      const text = `${other.process ?? 'another program'} listens on ${other.address}, port 53`;
      if (other.service === null) return { code: 'no_service', text: `${text}, and belongs to no service` };
      return takes ? null : { code: 'in_use', text };
    },
    async perform(op) {
      // root's unit is not needed where nothing listens
      if (op === 'give' || sockets().length > 0) await must(op);
    },
    async settle(takes) {
      if (!takes && readJson(root.record) !== null)
        await must('give').catch((error: Error) => options.log(error.message));
    },
    state: () => found,
  };
}

function readListener(value: unknown): EdgePort53Listener {
  const { protocol, address, process, service } = asRecord<EdgePort53Listener>(value);
  return {
    protocol: protocol === 'tcp' ? 'tcp' : 'udp',
    address: asText(address, 64) ?? '',
    process: asText(process, 64),
    service: asText(service, 136),
  };
}
