// npm run test:system: the browser journeys and the tests that need Debian's packages. Installs those as root; says what is missing otherwise.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const needed = {
  chromium: '/usr/bin/chromium',
  'fonts-noto-cjk': '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
  'nats-server': '/usr/sbin/nats-server',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  openssl: '/usr/bin/openssl',
  iproute2: '/usr/sbin/ip',
  busybox: '/usr/bin/busybox',
  nftables: '/usr/sbin/nft',
  'dnsmasq-base': '/usr/sbin/dnsmasq',
  conntrack: '/usr/sbin/conntrack',
  'iputils-ping': '/usr/bin/ping',
  tcpdump: '/usr/bin/tcpdump',
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
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
    DEBIAN_FRONTEND: 'noninteractive',
  });
}

const args = process.argv.slice(2);
if (args.length === 0) {
  // the tests that touch the database, once more on Debian's PostgreSQL 15
  run('bash', [
    'scripts/postgres15.sh',
    'npx',
    'vitest',
    'run',
    'packages/server/src/platform/database',
    'packages/server/src/features',
    'packages/server/test',
  ]);
}
run('npx', ['vitest', 'run', '--config', 'e2e/vitest.config.ts', ...args]);

function run(command, rest, env = {}) {
  console.log(`> ${command} ${rest.join(' ')}`);
  const { status } = spawnSync(command, rest, { stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
}
