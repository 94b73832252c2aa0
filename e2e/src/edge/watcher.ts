import type { ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { EdgeFlowParams, EdgeStateReport } from '../../../packages/contract/src/device/index.ts';
import type { WrittenRule } from '../../../packages/edge/src/flow/index.ts';
import type { Layout, WanStatus } from '../../../packages/edge/src/measure/index.ts';
import type { Lab } from './lab.ts';
import { tail, within } from './lab-fixture.ts';

/** Timeout of an answer, in milliseconds. */
const longest = 120_000;

export interface Watcher {
  count(): Promise<void>;
  state(): Promise<EdgeStateReport>;
  health(): Promise<unknown>;
  events(): Promise<{ at: number; type: string; payload: Record<string, unknown> }[]>;
  lines(): Promise<WanStatus[]>;
  sent(): Promise<EdgeFlowParams[]>;
  online(on: boolean): Promise<void>;
  taken(seq: number): Promise<void>;
  tell(): Promise<void>;
  /** Resident bytes. */
  memory(): Promise<number>;
  logText(): string;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export async function startWatcher(
  lab: Lab,
  layout: Layout,
  options: { rules?: WrittenRule[]; every?: number; timeouts?: { ask: number; gone: number } } = {},
): Promise<Watcher> {
  const given = {
    layout,
    rules: options.rules ?? [],
    stateFolder: join(lab.folder, 'state'),
    ports: { WAN1: 'wan1', WAN2: 'wan2', LAN1: 'lan1', LAN2: 'lan2' },
    every: options.every ?? 15_000,
    timeouts: options.timeouts,
  };
  const tsx = import.meta.resolve('tsx');
  const program = resolve(import.meta.dirname, 'watcher-program.ts');
  const child: ChildProcess = lab.start('gw', process.execPath, ['--import', tsx, program, JSON.stringify(given)]);
  let wrong = '';
  child.stderr!.on('data', (part: Buffer) => {
    wrong += part;
  });
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => waiting.shift()?.(line));
  const gone = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`the watcher ended (${code}): ${wrong}`)));
  });
  gone.catch(() => {});
  const answer = async <T>() => {
    const line = new Promise<string>((done) => waiting.push(done));
    const answered = within(longest, `an answer of the watcher (${tail(wrong, 5)})`, Promise.race([line, gone]));
    return (JSON.parse(await answered) as { answer: T }).answer;
  };
  const ask = <T>(order: string, value?: unknown) => {
    const answered = answer<T>();
    child.stdin!.write(`${JSON.stringify([order, value ?? null])}\n`);
    return answered;
  };
  const end = new Promise<void>((done) => child.once('exit', () => done()));
  await answer();
  return {
    async count() {
      await ask('count');
      await ask('tell');
    },
    state: () => ask('state'),
    health: () => ask('health'),
    events: () => ask('events'),
    lines: () => ask('lines'),
    sent: () => ask('sent'),
    online: (on) => ask('online', on),
    taken: (seq) => ask('taken', seq),
    tell: () => ask('tell'),
    memory: () => ask('memory'),
    logText: () => tail(wrong),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.stdin!.write('["stop"]\n');
      await within(longest, 'the end of the watcher', end);
    },
    async kill() {
      child.kill('SIGKILL');
      await within(longest, 'the end of the watcher', end);
    },
  };
}
