import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Places, placesOf } from './places.ts';
import { writeStatus } from './status-file.ts';
import { describeEnd, waitOnline } from './wait-online.ts';

const address = { server: 'console.example.org', port: 15_002 };
const limits = { within: 300, stable: 50, every: 5 };
let root: string;
let places: Places;
let agent: ChildProcess;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'yunxun-wait-'));
  places = placesOf({ YUNXUN_EDGE_ROOT: root });
  mkdirSync(places.run, { recursive: true });
  const program = join(root, 'yunxun-edge');
  symlinkSync(process.execPath, program);
  agent = spawn(program, ['-e', 'setInterval(() => {}, 1000)']);
  await once(agent, 'spawn');
});
afterEach(async () => {
  const ended = once(agent, 'exit');
  if (agent.exitCode === null && agent.signalCode === null && agent.kill('SIGKILL')) await ended;
  rmSync(root, { recursive: true, force: true });
});

const write = (online: boolean, problem: string | null = null) =>
  writeStatus(places, { pid: agent.pid!, version: '0.1.0', online, problem, sdwan: null });

describe('waiting for the agent', () => {
  it('ends when the agent is online', async () => {
    write(true);
    expect(await waitOnline(places, address, () => {}, limits)).toBeNull();
  });

  it('gives the reason of the agent, and prints it once while it waits', async () => {
    write(false, 'no route');
    const logged: string[] = [];
    expect(await waitOnline(places, address, (line) => logged.push(line), limits)).toBe('no route');
    expect(logged).toEqual([expect.stringContaining('no route')]);
  });

  it('says that no agent runs when the one of the file has ended', async () => {
    write(true);
    const ended = once(agent, 'exit');
    agent.kill('SIGKILL');
    await ended;
    expect(await waitOnline(places, address, () => {}, limits)).toBe('the agent does not run');
  });

  it('does not count a session that the console ends at once', async () => {
    write(true);
    const waiting = waitOnline(places, address, () => write(false, 'refused'), { ...limits, stable: 10_000 });
    expect(await waiting).toBe('no answer from console.example.org:15002 so far');
  });
});

describe('the reason of a connection that failed', () => {
  it.each([
    ['failed', 'connect ECONNREFUSED 192.0.2.1:15002', 'refuses the connection'],
    ['failed', 'getaddrinfo EAI_AGAIN console.example.org', 'cannot be resolved'],
    ['failed', 'Opening handshake has timed out', 'does not answer'],
    ['failed', 'Unexpected server response: 403', 'refuses this machine'],
    ['failed', 'Unexpected server response: 503', 'come back later'],
    ['failed', 'Unexpected server response: 404', "not the console's device port"],
    ['failed', 'self-signed certificate in certificate chain', 'enrol again'],
    ['failed', 'Client network socket disconnected before secure TLS connection was established', 'TLS'],
    ['wrong-host', 'console.example.org', 'does not hold the name'],
    ['closed', '1008 refused', '1008 refused'],
  ] as const)('of %s (%s) names what to check', (kind, detail, words) => {
    expect(describeEnd({ kind, detail }, address)).toContain(words);
  });
});
