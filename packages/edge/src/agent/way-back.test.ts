import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../manual-clock.ts';
import { emptyPlan, type Plan } from '../render/plan.ts';
import { makeWan } from '../testing/host-rig.ts';
import { networkScript } from './network-files.ts';
import { renewNetwork, WayBack } from './way-back.ts';

describe('a host that is offline since a rollback', () => {
  const minute = 60_000;
  const withWan: Plan = { ...emptyPlan, lines: [makeWan('eth0', 10)] };

  function wayBack(plan: Plan, returning = false) {
    const clock = new ManualClock(0);
    const renewed: number[] = [];
    const host = { plan, returning };
    const way = new WayBack({ host, clock, renew: () => renewed.push(clock.now() / minute), log: () => {} });
    const pass = (minutes: number) => {
      for (let half = 0; half < minutes * 2; half += 1) {
        clock.advance(minute / 2);
        way.look();
      }
    };
    return { way, renewed, pass };
  }

  it('starts the network of the distribution again and again, with growing rests', () => {
    const { way, renewed, pass } = wayBack(emptyPlan);
    way.returned();
    pass(120);
    expect(renewed).toEqual([1, 3, 7, 15, 31, 61, 91]);
  });

  it('does so when its own WANs do not hold, and leaves them alone when they do', () => {
    const [broken, whole] = [wayBack(withWan, true), wayBack(withWan)];
    for (const { way, pass } of [broken, whole]) {
      way.returned();
      pass(4);
    }
    expect([broken.renewed, whole.renewed]).toEqual([[1, 3], []]);
  });

  it('stops once the console is reached, and does nothing without a rollback', () => {
    const { way, renewed, pass } = wayBack(emptyPlan);
    pass(5);
    way.returned();
    way.online();
    pass(5);
    expect(renewed).toEqual([]);
  });
});

describe('the program that starts the network of the distribution', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'yunxun-network-'));
    for (const path of ['run/yunxun-edge', 'bin', 'sys/class/net/eth0', 'etc/network/interfaces.d'])
      mkdirSync(join(root, path), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const logged = () => readFileSync(join(root, 'said'), 'utf8').trim().split('\n');

  function program(name: string, body = `echo ${name} "$@" >>"${root}/said"`): void {
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(root, 'bin', name), 0o755);
  }

  function run(asked: string): void {
    writeFileSync(join(root, 'run/yunxun-edge/network'), asked);
    writeFileSync(join(root, 'said'), '');
    writeFileSync(join(root, 'network'), networkScript);
    const env = { PATH: `${join(root, 'bin')}:${process.env.PATH}`, YUNXUN_EDGE_ROOT: root };
    const { status, stderr } = spawnSync('sh', [join(root, 'network')], { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  }

  it('asks the manager in charge: systemd-networkd', () => {
    program('systemctl', '[ "$3" = systemd-networkd.service ]');
    program('networkctl', `[ "$1" = status ] || echo networkctl "$@" >>"${root}/said"`);
    run('eth0\n');
    expect(logged()).toEqual(['networkctl reconfigure eth0']);
  });

  it('asks ifupdown for a device that it knows', () => {
    program('systemctl', 'exit 1');
    for (const name of ['ifup', 'ifdown', 'dhcpcd']) program(name);
    writeFileSync(join(root, 'etc/network/interfaces.d/wan'), 'auto eth0\niface eth0 inet dhcp\n');
    run('eth0\n');
    expect(logged()).toEqual(['ifdown --force eth0', 'ifup --force eth0']);
  });

  it('starts a DHCP client where no manager is in charge, on devices that are there only', () => {
    program('systemctl', 'exit 1');
    for (const name of ['ifup', 'dhcpcd']) program(name);
    run('eth0\neth7\n-x\n$(touch /tmp/x)\n');
    expect(logged()).toEqual(['dhcpcd -4 -w -t 30 eth0']);
  });

  it('is given the WAN ports', () => {
    renewNetwork({ run: root }, { WAN1: 'eth0', LAN1: 'eth1', WAN2: 'wwan0' }, () => {});
    expect(readFileSync(join(root, 'network'), 'utf8')).toBe('eth0\nwwan0\n');
  });
});
