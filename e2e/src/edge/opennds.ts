import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Lab, Outcome } from './lab.ts';
import { tail, within } from './lab-fixture.ts';

/** Of `ndsctl json`; numbers are texts, seconds since 1970 and kbit/s. */
export interface OpenNdsClient {
  state: string;
  session_start: string;
  session_end: string;
  upload_rate_limit_threshold: string;
  download_rate_limit_threshold: string;
}

export interface OpenNds {
  /** Restarts it with settings as the console shows them; clients need another lease. Only inside a test. */
  configure(settings: string): Promise<void>;
  ndsctl(...words: readonly string[]): Promise<Outcome>;
  /** By MAC. */
  clients(): Promise<Readonly<Record<string, OpenNdsClient>>>;
  logText(): string;
  stop(): void;
}

const lan = { device: 'lan1', address: '192.168.1.1' } as const;

const ruleSets = `
EmptyRuleSetPolicy preauthenticated-users block
FirewallRuleSet authenticated-users {
    FirewallRule allow all
}
FirewallRuleSet preauthenticated-users {
    FirewallRule allow tcp port 53
    FirewallRule allow udp port 53
}
FirewallRuleSet users-to-router {
    FirewallRule allow udp port 53
    FirewallRule allow tcp port 53
    FirewallRule allow udp port 67
}
`;

/** Debian has no UCI: options stand alone in its file, and the interval in a comment, where `authmon.sh` finds it. */
function configurationOf(settings: string): string {
  const lines = [...settings.matchAll(/^uci (?:set|add_list) opennds\.@opennds\[0\]\.(\w+)='(.*)'$/gm)].map(
    ([, name, value]) => `${name === 'nat_traversal_poll_interval' ? '# ' : ''}${name} ${value}`,
  );
  const own = ['gatewayinterface lan1', 'gatewayfqdn disable', 'login_option_enabled 0', 'checkinterval 5'];
  const reports = 'binauth /usr/lib/opennds/binauth_log.sh';
  return `${[...own, reports, 'debuglevel 1', ...lines].join('\n')}\n${ruleSets}`;
}

/**
 * Runs Debian's openNDS 9.10 on the lab's gateway, behind its first network. It ends processes by their names and writes
 * `/etc/hosts` and `/run`, so it has mounts and process ids of its own.
 * @param names lines of its hosts file
 * @param authority certificates that its PHP trusts, beside those of the machine
 */
export async function startOpenNds(
  lab: Lab,
  { names, authority }: { names: string; authority: string },
): Promise<OpenNds> {
  let child: ChildProcess | null = null;
  let output = '';
  const file = (name: string) => join(lab.folder, `opennds-${name}`);

  await lab.run('gw', 'ip', 'addr', 'replace', `${lan.address}/24`, 'dev', lan.device);
  await lab.run('gw', 'ip', 'link', 'set', lan.device, 'up');
  await lab.run('gw', 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
  writeFileSync(file('hosts'), `127.0.0.1 localhost\n${names}\n`);
  mkdirSync(file('php'));
  writeFileSync(join(file('php'), 'lab.ini'), `openssl.cafile=${authority}\n`);
  // iptables refuses a chain of its own at the priority that the package gives it
  const library = readFileSync('/usr/lib/opennds/libopennds.sh', 'utf8')
    .replaceAll('priority -100 ; }', 'priority 0 ; }')
    .replace(/^.*nft rename chain ip filter.*$/gm, '');
  writeFileSync(file('library.sh'), library, { mode: 0o755 });
  const leases = '/var/lib/misc/dnsmasq.leases';
  const resolver = [
    '--conf-file=/dev/null --no-resolv --no-hosts --user=root --pid-file=/run/dnsmasq.pid --server=192.0.2.53',
    `--interface=${lan.device} --bind-interfaces --dhcp-range=192.168.1.100,192.168.1.150,1h`,
    `--dhcp-option=option:router,${lan.address} --dhcp-leasefile=${leases} --dhcp-authoritative`,
  ].join(' ');
  const boot = `set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /run
mkdir -p /run/tmpfiles.d
mount -t tmpfs tmpfs /var/lib/misc
cp ${file('hosts')} /run/hosts
mount --bind /run/hosts /etc/hosts
mount --bind ${file('conf')} /etc/opennds/opennds.conf
mount --bind ${file('library.sh')} /usr/lib/opennds/libopennds.sh
dnsmasq ${resolver}
# it takes a provider that no neighbour entry names for absent
ping -c 1 -W 5 198.51.100.1 > /dev/null
exec opennds -f -d 1 -c /etc/opennds/opennds.conf
`;
  writeFileSync(file('boot.sh'), boot);

  function stop(): void {
    child?.kill('SIGKILL');
    child = null;
  }

  /** Enters the namespaces of the running one. */
  async function ndsctl(...words: readonly string[]): Promise<Outcome> {
    const pid = child?.pid;
    const inside =
      pid === undefined ? '' : readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0];
    if (!inside) throw new Error('openNDS does not run');
    return lab.try('gw', 'nsenter', '-t', inside, '-m', '-p', 'ndsctl', ...words);
  }

  /** Returns false if it ended. */
  async function started(): Promise<boolean> {
    if (child && child.exitCode === null) {
      const gone = new Promise((resolve) => child!.once('exit', resolve));
      stop();
      await within(10_000, 'the end of openNDS', gone);
    }
    const nat = 'add chain ip lab post { type nat hook postrouting priority 100 ; }';
    const rules = `flush ruleset; add table ip lab; ${nat}; add rule ip lab post oifname "wan1" masquerade`;
    await lab.run('gw', 'nft', rules);
    const spaces = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
    const env = { PHP_INI_SCAN_DIR: `:${file('php')}` };
    const running = lab.start('gw', 'unshare', [...spaces, 'bash', file('boot.sh')], { env });
    child = running;
    for (const stream of [running.stdout, running.stderr])
      stream?.on('data', (part: Buffer) => {
        output += part.toString('utf8');
      });
    const answers = async () => (await ndsctl('status').catch(() => ({ code: 1 }))).code === 0;
    await expect.poll(async () => running.exitCode !== null || (await answers())).toBe(true);
    return running.exitCode === null;
  }

  return {
    ndsctl,
    stop,
    async configure(settings) {
      writeFileSync(file('conf'), configurationOf(settings));
      // now and then it ends while it starts; its service manager starts it again
      for (let left = 3; !(await started()); left -= 1)
        if (left === 0) throw new Error(`openNDS ended (${child?.exitCode}): ${tail(output)}`);
    },
    async clients() {
      const { stdout } = await ndsctl('json');
      return (JSON.parse(stdout) as { clients: Record<string, OpenNdsClient> }).clients;
    },
    logText: () => `openNDS:\n${tail(output)}`,
  };
}
