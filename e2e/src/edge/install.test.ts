import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from './host.ts';

/** Root's commands in a disposable overlay, with files planted by the service user. systemctl only records. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-install-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function onHost(script: string): string[] {
  const outside = String.raw`set -e
mount -t tmpfs tmpfs "$1" && mkdir "$1/up" "$1/work" "$1/root"
root=$1/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/up,workdir=$1/work" "$root"
mount --rbind /proc "$root/proc" && mount --rbind /dev "$root/dev"
mkdir -p "$root/run/systemd/system" "$root/box"
cp "$2" "$root/box/bundle.mjs" && cp "$3" "$root/box/script"
printf '#!/bin/sh\necho systemctl "$@" >>/box/calls\n' >"$root/usr/bin/systemctl.new"
chmod 755 "$root/usr/bin/systemctl.new" && mv -f "$root/usr/bin/systemctl.new" "$root/usr/bin/systemctl"
exec chroot "$root" sh /box/script`;
  const place = mkdtempSync(join(folder, 'root-'));
  const copied = join(folder, 'script.copy');
  writeFileSync(copied, `set -e\ncd /\numask 077\n${script}`);
  return execFileSync('unshare', ['-m', 'sh', '-c', outside, 'sh', place, bundle(), copied], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

it('what the service writes is its own user’s, what root runs is root’s', () => {
  const logged = onHost(`
node /box/bundle.mjs install
stat -c '%U %a %n' /usr/lib/yunxun-edge/* /usr/bin/yunxun-edge
stat -c '%U %n' /etc/yunxun-edge /etc/yunxun-edge/options.json /var/lib/yunxun-edge/program/current
cat /box/calls
/usr/bin/yunxun-edge version
`);
  expect(logged).toEqual([
    'root 755 /usr/lib/yunxun-edge/launch',
    'root 755 /usr/lib/yunxun-edge/network',
    'root 755 /usr/lib/yunxun-edge/port53',
    'root 755 /usr/lib/yunxun-edge/resolver',
    'root 755 /usr/lib/yunxun-edge/shell',
    'root 644 /usr/lib/yunxun-edge/yunxun-edge.mjs',
    'root 755 /usr/bin/yunxun-edge',
    'yunxun-edge /etc/yunxun-edge',
    'yunxun-edge /etc/yunxun-edge/options.json',
    'yunxun-edge /var/lib/yunxun-edge/program/current',
    'systemctl daemon-reload',
    'systemctl enable yunxun-edge.service yunxun-edge-reboot.path yunxun-edge-upgrade.path yunxun-edge-resolver.path yunxun-edge-network.path yunxun-edge-port53.path yunxun-edge-shell.socket',
    'systemctl restart yunxun-edge-reboot.path yunxun-edge-upgrade.path yunxun-edge-resolver.path yunxun-edge-network.path yunxun-edge-port53.path yunxun-edge-shell.socket',
    expect.stringMatching(/^\d+\.\d+\.\d+/),
  ]);
});

it('a taken-over service gains no other user by any command that root runs, and root follows none of its links', () => {
  const logged = onHost(`
node /box/bundle.mjs install
evil=/var/lib/yunxun-edge/program/versions/$(cat /var/lib/yunxun-edge/program/current)/yunxun-edge.mjs
setpriv --reuid yunxun-edge --regid yunxun-edge --clear-groups sh -c "
cat >$evil <<'END'
import { appendFileSync, existsSync } from 'node:fs';
let owned = 'no';
try { appendFileSync('/etc/victim', 'x'); owned = 'yes'; } catch {}
console.log(process.argv[2], process.getuid() === 0 ? 'root' : 'user', owned);
END
"
echo kept >/etc/victim
for what in status version enroll dry-run; do /usr/bin/yunxun-edge $what /box/script; done
setpriv --reuid yunxun-edge --regid yunxun-edge --clear-groups sh -c '
ln -s /etc/victim /var/lib/yunxun-edge/program/current.new
ln -s /etc/victim /var/lib/yunxun-edge/program/versions/planted
ln -s /etc/victim /etc/yunxun-edge/options.json.new
rm /etc/yunxun-edge/options.json'
chmod 644 /etc/victim
node /box/bundle.mjs install >/dev/null 2>&1 || true
cat /etc/victim
stat -c %U /etc/victim
tail -n 1 /box/calls
`);
  expect(logged).toEqual([
    'status user no',
    'version user no',
    'enroll user no',
    'Starting the agent ...',
    'wait-online user no',
    'dry-run user no',
    'kept',
    'root',
    expect.stringContaining('systemctl'),
  ]);
});
