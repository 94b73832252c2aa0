// npm run test:system: browser journeys, slow tests, and tests that need Debian packages. Installs those as root;
// otherwise names them.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const needed = {
  'chromium-headless-shell': '/usr/bin/chromium-headless-shell',
  chromium: '/usr/bin/chromium',
  'fonts-noto-cjk': '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
  'nats-server': '/usr/sbin/nats-server',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  openssl: '/usr/bin/openssl',
  'openssh-client': '/usr/bin/ssh',
  'openssh-server': '/usr/sbin/sshd',
  iproute2: '/usr/sbin/ip',
  busybox: '/usr/bin/busybox',
  nftables: '/usr/sbin/nft',
  'dnsmasq-base': '/usr/sbin/dnsmasq',
  conntrack: '/usr/sbin/conntrack',
  'iputils-ping': '/usr/bin/ping',
  tcpdump: '/usr/bin/tcpdump',
  'wireguard-tools': '/usr/bin/wg',
  'wireguard-go': '/usr/bin/wireguard-go',
  iperf3: '/usr/bin/iperf3',
  'isc-dhcp-client': '/usr/sbin/dhclient',
  'dhcpcd-base': '/usr/sbin/dhcpcd',
  debootstrap: '/usr/sbin/debootstrap',
  nginx: '/usr/sbin/nginx',
  opennds: '/usr/bin/opennds',
  freeradius: '/usr/sbin/freeradius',
  eapoltest: '/usr/bin/eapol_test',
  iptables: '/usr/sbin/iptables-nft',
  'php-cli': '/usr/bin/php',
  'tigervnc-standalone-server': '/usr/bin/Xvnc',
  'tigervnc-tools': '/usr/bin/tigervncpasswd',
  xterm: '/usr/bin/xterm',
  'systemd-container': '/usr/bin/systemd-nspawn',
};
const missing = Object.entries(needed)
  .filter(([, file]) => !existsSync(file))
  .map(([name]) => name);
if (missing.length > 0) {
  if (process.getuid?.() !== 0) {
    console.error(
      `The system tests need the Debian packages ${missing.join(', ')}. Install them, or run this as root.`,
    );
    process.exit(1);
  }
  // their services would capture this machine's own network, and take the ports of RADIUS
  for (const name of ['opennds', 'freeradius']) {
    const mask = `/etc/systemd/system/${name}.service`;
    if (!missing.includes(name) || existsSync(mask)) continue;
    mkdirSync(dirname(mask), { recursive: true });
    symlinkSync('/dev/null', mask);
  }
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
    DEBIAN_FRONTEND: 'noninteractive',
  });
}

process.env.SYSTEM_TESTS = '1';
const args = process.argv.slice(2);
const vitest = ['npx', 'vitest', 'run', '--config', 'e2e/vitest.config.ts'];
if (args.length > 0) run(vitest[0], [...vitest.slice(1), ...args]);
else await runAll();

async function runAll() {
  rmSync('.build/runs', { recursive: true, force: true });
  process.env.KEEP_RUN_REPORT = 'yes';
  const isRoot = process.getuid?.() === 0;
  const statuses = [
    // built with a network, which the labs lack
    isRoot ? await start(['npx', 'tsx', 'e2e/src/system/prepare-image.ts'], 'inherit').ended : 0,
    isRoot ? await runPagesBesideLabs() : await start(vitest, 'inherit').ended,
    await start(['npx', 'vitest', 'run', '--project', 'slow'], 'inherit').ended,
    // the oldest supported PostgreSQL, whose owner is no superuser
    await start(['bash', 'scripts/postgres15.sh', 'npx', 'vitest', 'run', 'packages/server'], 'inherit').ended,
  ];
  run(process.execPath, ['scripts/summary.mjs']);
  process.exit(statuses.find((status) => status !== 0) ?? 0);
}

/**
 * Runs the labs in a network namespace of their own beside the browser tests: Chromium aborts loads when an interface
 * appears or disappears, as labs cause. Prints the output of the labs when the pages are through. Two cores are busy with
 * the pages alone, and labs beside them miss their own limits, so there the labs come afterwards.
 */
async function runPagesBesideLabs() {
  const log = join(mkdtempSync(join(tmpdir(), 'yunxun-labs-')), 'log');
  const inside = 'ip link set lo up; mount -t tmpfs tmpfs /run/netns; mount --make-shared /run/netns; exec "$@"';
  const labs = [
    'unshare',
    '--net',
    '--mount',
    'sh',
    '-c',
    inside,
    'labs',
    ...vitest,
    '--project',
    'labs',
    '--project',
    'shown',
  ];
  mkdirSync('/run/netns', { recursive: true });
  const file = openSync(log, 'w');
  const pages = start([...vitest, '--project', 'pages'], 'inherit');
  if (availableParallelism() <= 2) await pages.ended;
  const both = [start(labs, ['ignore', file, file]), pages];
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      for (const { child } of both) child.kill(signal);
    });
  const [labsStatus, pagesStatus] = await Promise.all(both.map(({ ended }) => ended));
  console.log(readFileSync(log, 'utf8'));
  rmSync(dirname(log), { recursive: true });
  return pagesStatus || labsStatus;
}

function start(command, stdio) {
  console.log(`> ${command.join(' ')}`);
  const child = spawn(command[0], command.slice(1), { stdio });
  return { child, ended: new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1))) };
}

function run(command, rest, env = {}) {
  console.log(`> ${command} ${rest.join(' ')}`);
  const { status } = spawnSync(command, rest, { stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
}
