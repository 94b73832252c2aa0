import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const bare = ['systemd', 'systemd-sysv', 'iproute2', 'ifupdown', 'dhcpcd-base', 'curl', 'ca-certificates'];

/** The agent's; in a local repository: the lab has no internet. */
export const offered = ['nodejs', 'nftables', 'dnsmasq-base', 'conntrack', 'tcpdump', 'iputils-ping', 'busybox'];

/** Answer on port 53 of every address. */
const foreign = ['dnsmasq', 'unbound'];
const stored = [...offered, ...foreign];

/** Runs debootstrap; repository in /srv/packages. Parameters: image, mirror, base packages, repository packages. */
const build = String.raw`set -e
[ ! -d "$1" ] || exit 0
new=$1.new
rm -rf "$new"
debootstrap --variant=minbase --include="$3" trixie "$new" "$2"
rm -f "$new"/var/cache/apt/archives/*.deb
cp -L /etc/resolv.conf "$new/etc/resolv.conf"
chroot "$new" apt-get -qq update
chroot "$new" apt-get -qq -y --no-install-recommends --download-only install $4
mkdir "$new/srv/packages"
mv "$new"/var/cache/apt/archives/*.deb "$new/srv/packages/"
cd "$new/srv/packages"
for deb in *.deb; do
  dpkg-deb -f "$deb"
  printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$deb" "$(stat -c %s "$deb")" "$(sha256sum <"$deb" | cut -d' ' -f1)"
done >Packages
rm -rf "$new"/var/lib/apt/lists/* "$new"/etc/apt/sources.list.d/* "$new/etc/resolv.conf"
echo 'deb [trusted=yes] file:/srv/packages ./' >"$new/etc/apt/sources.list"
mv "$new" "$1"
`;

/**
 * Returns the folder of a Debian 13 system, built once (about 90 s) in `YUNXUN_LAB_CACHE`, else the user's cache.
 * Machines use overlays. Rejects with the output of debootstrap or apt.
 */
export async function systemImage(): Promise<string> {
  const mirror = process.env.YUNXUN_LAB_MIRROR ?? 'http://deb.debian.org/debian';
  const key = createHash('sha256')
    .update(JSON.stringify([build, bare, stored]))
    .digest('hex')
    .slice(0, 16);
  const cache =
    process.env.YUNXUN_LAB_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'yunxun-lab');
  const image = join(cache, `debian-13-${key}`);
  if (existsSync(image)) return image;
  mkdirSync(cache, { recursive: true, mode: 0o755 });
  const program = ['sh', '-c', build, 'sh', image, mirror, bare.join(','), stored.join(' ')];
  try {
    await promisify(execFile)('flock', [join(cache, 'lock'), ...program], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
      maxBuffer: 64 << 20,
      timeout: 570_000,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const words = `${stdout}\n${stderr}`.trim().split('\n').slice(-15).join('\n');
    throw new Error(`the Debian image of the system lab cannot be built from ${mirror}: ${String(error)}\n${words}`);
  }
  return image;
}
