import { describe, expect, it } from 'vitest';
import { setMac } from './mac-address.ts';

const own = '02:00:00:00:00:01';
const other = '02:aa:00:00:00:01';

function driver(options: { wantsDown?: boolean; refuses?: boolean } = {}) {
  const state = { mac: own, up: true, calls: [] as string[] };
  const done = { code: 0, stdout: '', stderr: '' };
  const run = async (argv: readonly string[]) => {
    const words = argv.join(' ');
    if (words.includes('show')) return { ...done, stdout: JSON.stringify([{ ifname: 'eth0', address: state.mac }]) };
    state.calls.push(argv.slice(5).join(' '));
    if (words.endsWith(' down')) state.up = false;
    else if (words.endsWith(' up')) state.up = true;
    else if (options.wantsDown && state.up)
      return { ...done, code: 2, stderr: 'RTNETLINK answers: Device or resource busy' };
    else if (options.refuses) return { ...done, code: 2, stderr: 'RTNETLINK answers: Cannot assign requested address' };
    else state.mac = argv.at(-1)!;
    return done;
  };
  return { state, run };
}

describe('a MAC address is set', () => {
  it('without taking the device down where the driver allows it', async () => {
    const { state, run } = driver();
    expect(await setMac('eth0', other, run)).toBeNull();
    expect(state).toEqual({ mac: other, up: true, calls: [`address ${other}`] });
  });

  it('while the device is down where the driver wants that, and puts it up again', async () => {
    const { state, run } = driver({ wantsDown: true });
    expect(await setMac('eth0', other, run)).toBeNull();
    expect(state).toMatchObject({ mac: other, up: true, calls: [expect.anything(), 'down', `address ${other}`, 'up'] });
  });

  it('not at all where the device has it already', async () => {
    const { state, run } = driver({ wantsDown: true });
    expect(await setMac('eth0', own, run)).toBeNull();
    expect(state.calls).toEqual([]);
  });

  it('again on a VLAN, which would otherwise follow its port', async () => {
    const { state, run } = driver();
    expect(await setMac('eth0.7', own, run, true)).toBeNull();
    expect(state).toEqual({ mac: own, up: true, calls: [`address ${own}`] });
  });

  it('or the complaint is given, and a device that went down for it is up again', async () => {
    const { state, run } = driver({ wantsDown: true, refuses: true });
    expect(await setMac('eth0', other, run)).toContain('Cannot assign');
    expect(state).toMatchObject({ mac: own, up: true });
  });
});
