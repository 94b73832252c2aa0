import { expect, it } from 'vitest';
import { labFixture } from '../edge/lab-fixture.ts';
import { type Fixture, startFixture } from './fixture.ts';

let fixture: Fixture;
let serial = '';
labFixture(async (own) => {
  fixture = own(await startFixture());
  serial = '';
});

async function bound(): Promise<void> {
  if (serial === '') serial = (await fixture.bind()).serial;
}

function edit(bundle: string, from: string, to: string): string {
  if (!bundle.includes(from)) throw new Error(`the bundle lacks "${from}"`);
  return bundle.replaceAll(from, to);
}

const installed = () =>
  fixture.machine.run(`
systemctl show -p RestartUSec -p SystemCallErrorNumber -p ActiveState yunxun-edge.service
grep -c 'none is before it' /usr/lib/yunxun-edge/launch || true
sed -n 1p /var/lib/yunxun-edge/program/current
ls /usr/lib/yunxun-edge | grep -c -e trial -e next || true`);

const resolver = `
systemctl is-enabled yunxun-edge-resolver.path
systemctl is-active yunxun-edge-resolver.path
stat -c '%U %a' /usr/lib/yunxun-edge/resolver`;

it('upgrades unit and launcher with the agent, and returns all of them when the new unit does not come up', async () => {
  const { ask, finished, giveVersion, machine, shows } = fixture;
  await bound();
  const upgrade = async () => {
    await shows(serial, 'online');
    const { data } = await ask<{ job_id: string }>('/api/v3/device/agent/upgrade', { serials: [serial] });
    return finished(data.job_id);
  };
  const better = (bundle: string) =>
    edit(edit(bundle, 'RestartSec=2', 'RestartSec=3'), 'there is none before it', 'none is before it');
  // an earlier version, without the resolver unit
  await machine.run(`systemctl disable --now yunxun-edge-resolver.path
rm /usr/lib/yunxun-edge/resolver /etc/systemd/system/yunxun-edge-resolver.* && systemctl daemon-reload`);
  await giveVersion('9.0.1', better);
  expect(await upgrade()).toEqual([{ status: 'succeeded', reason: null }]);
  const good = ['RestartUSec=3s', 'ActiveState=active', 'SystemCallErrorNumber=1', '1', '9.0.1', '0'];
  // root ends shortly after the agent is online
  const lines = async () => (await installed()).trim().split('\n').toSorted();
  await expect.poll(lines).toEqual(good.toSorted());
  expect(await machine.run('node /usr/lib/yunxun-edge/yunxun-edge.mjs version')).toBe('9.0.1\n');
  await expect.poll(() => machine.run(resolver)).toBe('enabled\nactive\nroot 755\n');

  // killed every Node.js process
  await giveVersion('9.0.2', (bundle) =>
    edit(
      edit(better(bundle), 'SystemCallFilter=@system-service @pkey', 'SystemCallFilter=@system-service'),
      'SystemCallErrorNumber=EPERM',
      'RestartSec=1',
    ),
  );
  expect(await upgrade()).toEqual([{ status: 'failed', reason: 'job.agent_returned' }]);
  await expect.poll(lines).toEqual(good.toSorted());
  await shows(serial, 'online');
});

it('installs nothing of a version that the service user puts there without the signature', async () => {
  const { machine } = fixture;
  await bound();
  const before = await installed();
  await machine.run(`setpriv --reuid yunxun-edge --regid yunxun-edge --clear-groups sh -c '
cd /var/lib/yunxun-edge/program/versions
mkdir -p 99.0.0 && cp */yunxun-edge.mjs.sig 99.0.0/ 2>/dev/null
echo "require(\\"fs\\").writeFileSync(\\"/root/owned\\", \\"\\")" >99.0.0/yunxun-edge.mjs
cp ../current ../current.before && echo 99.0.0 >../current
touch /run/yunxun-edge/upgrade'`);
  const unit = () => machine.run('journalctl -u yunxun-edge-upgrade.service -o cat --no-pager');
  await expect.poll(unit).toContain('units stay as they are');
  await machine.run('cd /var/lib/yunxun-edge/program && mv current.before current');
  // the refused upgrade restarts the service
  await expect.poll(installed).toBe(before);
  await machine.run('test ! -e /root/owned');
});
