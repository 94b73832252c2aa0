import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { asNumber, asRecord, type EdgeThroughputParams, type EdgeThroughputResult } from '@yunxun/contract/device';
import { findTool, runTool, toolEnvironment } from '../apply/executor.ts';
import type { Run } from './reachability.ts';

type Serve = Extract<EdgeThroughputParams, { act: 'serve' }>;
type Test = Extract<EdgeThroughputParams, { act: 'run' }>;

export type Overlay = readonly { address: string; peers: readonly { address: string }[] }[];

export interface ThroughputDeps {
  networks: Overlay;
  run?: Run;
  find?: (name: string) => string | null;
}

/** Milliseconds; seconds that a server outlives its test. */
const [listenWait, graceSeconds] = [3000, 10];
let server: ChildProcess | null = null;

/** Refuses addresses that are not the two ends of a tunnel of this host. */
export function isNeighbour({ own, peer }: Pick<Serve, 'own' | 'peer'>, networks: Overlay): boolean {
  return networks.some(({ address, peers }) => address === own && peers.some((one) => one.address === peer));
}

function programOf({ networks, find = findTool }: ThroughputDeps, ends: Pick<Serve, 'own' | 'peer'>): string {
  if (!isNeighbour(ends, networks)) throw new Error('these addresses are not the ends of a tunnel of this gateway');
  const program = find('iperf3');
  if (program === null) throw new Error('iperf3 is not installed on this box');
  return program;
}

/** Opens the port to the peer for as long as the server may wait. @throws with the reason */
export async function serveThroughput(request: Serve, deps: ThroughputDeps): Promise<void> {
  const { own, peer, port, seconds } = request;
  const program = programOf(deps, request);
  const { run = runTool } = deps;
  // the first way's server ends just now
  if (server !== null) await Promise.race([once(server, 'exit'), after(listenWait)]);
  if (server !== null) throw new Error('a throughput test is under way');
  const element = `{ ${peer} . ${own} . ${port}`;
  const alter = (words: string) => run(['nft', words], { timeout: 5000 });
  const set = 'element inet yunxun sdwan_tests';
  const opened = await alter(`add ${set} ${element} timeout ${seconds + 2 * graceSeconds}s }`);
  if (opened.code !== 0) throw new Error(`the port was not opened: ${opened.stderr.trim().slice(0, 200)}`);
  const child = spawn(program, ['-s', '-1', '-B', own, '-p', `${port}`, '--forceflush'], {
    env: toolEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  server = child;
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const timer = setTimeout(kill, (seconds + graceSeconds) * 1000);
  const gone = () => {
    clearTimeout(timer);
    process.off('exit', kill);
    if (server === child) server = null;
    void alter(`delete ${set} ${element} }`);
  };
  child.once('exit', gone).once('error', gone);
  const failed = await Promise.race([listening(child), after(listenWait).then(() => 'it does not listen')]);
  if (failed === null) return;
  kill();
  throw new Error(`iperf3: ${failed}`);
}

const after = (ms: number) => new Promise<void>((done) => void setTimeout(done, ms).unref());

/** @returns null once it listens, else the reason */
function listening(child: ChildProcess): Promise<string | null> {
  let words = '';
  return new Promise((resolve) => {
    const read = (part: Buffer) => {
      words = (words + part.toString('utf8')).slice(-2000);
      if (/listening on/i.test(words)) resolve(null);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', (error) => resolve(error.message));
    child.once('exit', () => resolve(words.trim().split('\n').at(-1)?.slice(0, 200) || 'ended without a word'));
  });
}

/** @throws with the reason */
export async function testThroughput(request: Test, deps: ThroughputDeps): Promise<EdgeThroughputResult> {
  const { own, peer, port, seconds, udp, reverse, mbps } = request;
  const program = programOf(deps, request);
  const { run = runTool } = deps;
  const words = ['-c', peer, '-B', own, '-p', `${port}`, '-t', `${seconds}`, '-J'];
  if (reverse) words.push('-R');
  if (udp) words.push('-u');
  if (mbps !== undefined) words.push('-b', `${mbps}M`);
  const { stdout, stderr } = await run([program, ...words], { timeout: (seconds + graceSeconds) * 1000 });
  return readThroughput(stdout, stderr);
}

/** Reads the JSON of `iperf3 -J`. @throws with the error that it names */
export function readThroughput(stdout: string, stderr = ''): EdgeThroughputResult {
  const { end, error } = asRecord<{ end: unknown; error: unknown }>(recordOf(stdout));
  if (typeof error === 'string') throw new Error(`iperf3: ${error.slice(0, 200)}`);
  const { sum, sum_sent, sum_received } = asRecord<Record<'sum' | 'sum_sent' | 'sum_received', unknown>>(end);
  const figures = (value: unknown) =>
    asRecord<Record<'bits_per_second' | 'retransmits' | 'lost_percent' | 'jitter_ms', unknown>>(value);
  const received = figures(sum_received ?? sum);
  const bits = asNumber(received.bits_per_second);
  if (bits === null) throw new Error(`iperf3: ${stderr.trim().slice(0, 200) || 'no result'}`);
  const loss = asNumber(received.lost_percent) ?? asNumber(figures(sum).lost_percent);
  return {
    mbps: Math.round(bits / 10_000) / 100,
    retransmits: asNumber(figures(sum_sent).retransmits),
    loss_pct: loss === null ? null : Math.round(loss * 100) / 100,
    jitter_ms: asNumber(received.jitter_ms) ?? asNumber(figures(sum).jitter_ms),
  };
}

function recordOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
