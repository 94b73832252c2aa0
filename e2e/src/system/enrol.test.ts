import { expect, it } from 'vitest';
import { smallGateway } from '../edge/host.ts';
import { labFixture } from '../edge/lab-fixture.ts';
import { type Fixture, startFixture } from './fixture.ts';
import { offered } from './image.ts';

let fixture: Fixture;
let isBound = false;
labFixture(async (own) => {
  fixture = own(await startFixture());
  isBound = false;
});

async function bound(): Promise<void> {
  if (!isBound) await fixture.bind();
  isBound = true;
}

it('says what a bare machine lacks and changes nothing', async () => {
  const { machine, owner, line } = fixture;
  const look =
    'find / -xdev -newer /run/before -not -path "/proc/*" -not -path "/run/*" -not -path "/var/log/*" -type f';
  await machine.run('touch /run/before');
  const asked = await machine.try(line(owner.bindingCode));
  expect(asked, asked.stderr).toMatchObject({ code: 3 });
  expect(asked.stderr).toContain('apt-get install nodejs nftables dnsmasq-base conntrack tcpdump iputils-ping busybox');
  expect(asked.stderr).toContain('ENROLL_INSTALL=1');
  expect(await machine.run(look)).toBe('');
});

it('says why, and fails, when the device port does not answer', async () => {
  const { lab, machine, owner, line, devicePort } = fixture;
  await lab.run('net', 'nft', `add table ip shut; add chain ip shut on { type filter hook forward priority 0; }`);
  await lab.run('net', 'nft', `add rule ip shut on tcp dport ${devicePort} reject with tcp reset`);
  const asked = await machine.try(line(owner.bindingCode, 'ENROLL_INSTALL=1'));
  expect(asked.code, asked.stderr).toBe(1);
  expect(asked.stderr).toContain(`:${devicePort} refuses the connection`);
  expect(asked.stderr).toContain('its agent is not online');
  await lab.run('net', 'nft', 'delete', 'table', 'ip', 'shut');
});

it('ends when the machine is online, and the console shows it', async () => {
  const { machine, owner, line, shows } = fixture;
  // the documented 30 s after the packages
  await machine.run(`apt-get -q update && apt-get -q -y --no-install-recommends install ${offered.join(' ')}`);
  const began = performance.now();
  const done = await machine.try(line(owner.bindingCode, 'ENROLL_INSTALL=1'));
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect((performance.now() - began) / 1000).toBeLessThan(30);
  expect(done.stdout).toMatch(/Online: the console shows this machine now\.\n$/);
  const serial = /(\w{12}) is enrolled/.exec(done.stdout)?.[1] ?? '';
  await shows(serial, 'online');
  isBound = true;
  const unit = await machine.run('systemctl show -p ActiveState -p NRestarts yunxun-edge.service');
  expect(unit).toContain('ActiveState=active');
});

it('answers status and a dry run to root, and names root to others', async () => {
  await bound();
  const { machine } = fixture;
  const status = await machine.run('yunxun-edge status');
  expect(status).toMatch(/^agent {10}runs, online$/m);
  expect(status).toMatch(/^upgrades {7}signed$/m);
  const document = JSON.stringify(smallGateway(100));
  await machine.run(`umask 077; cat >/root/document.json <<'END'\n${document}\nEND`);
  expect(await machine.run('yunxun-edge dry-run /root/document.json')).toContain('10.1.0.1/24');
  expect(await machine.run('ip -br addr')).not.toContain('10.1.0.1/24');
  const other = await machine.try('setpriv --reuid 65534 --clear-groups yunxun-edge status');
  expect(other).toMatchObject({ code: 1, stderr: 'yunxun-edge: only root may do this: sudo yunxun-edge ...\n' });
});

it('shows the last words of a service that ends at its start', async () => {
  await bound();
  const { machine, owner, line } = fixture;
  // the earlier filter, which kills Node.js
  const unit = '/etc/systemd/system/yunxun-edge.service.d';
  const filter = 'SystemCallFilter=~pkey_alloc:kill';
  await machine.run(`mkdir ${unit} && printf '[Service]\\n${filter}\\n' >${unit}/lab.conf && systemctl daemon-reload`);
  const asked = await machine.try(line(owner.bindingCode));
  expect(asked.code, asked.stderr).toBe(1);
  expect(asked.stderr).toContain('its agent is not online (the reason is above)');
  expect(asked.stderr).toContain('status=31/SYS');
  await machine.run(`rm -r ${unit} && systemctl daemon-reload && systemctl restart yunxun-edge.service`);
  await machine.run('yunxun-edge wait-online');
});
