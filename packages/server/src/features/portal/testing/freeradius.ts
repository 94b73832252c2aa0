import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const program = '/usr/sbin/freeradius';
const supplicant = '/usr/bin/eapol_test';
const installed = '/etc/freeradius/3.0';
/** What operators copy. */
const documented = join(import.meta.dirname, '../../../../../../docs/freeradius');
const apSecret = 'secret-of-the-access-points';

export const hasFreeradius = existsSync(program) && existsSync(supplicant);

export interface Home {
  auth: number;
  acct: number;
  secret: string;
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

/** Replaces each text, which must be there. */
function edited(file: string, changes: readonly (readonly [from: string | RegExp, to: string])[]): string {
  return changes.reduce(
    (all, [from, to]) => {
      const next = all.replaceAll(from, to);
      if (next === all) throw new Error(`${file} has no ${from}`);
      return next;
    },
    readFileSync(file, 'utf8'),
  );
}

export async function startFreeradius(home: Home) {
  const dir = mkdtempSync(join(tmpdir(), 'yunxun-freeradius-'));
  const conf = join(dir, 'conf');
  cpSync(installed, conf, { recursive: true, verbatimSymlinks: true });
  for (const folder of ['log', 'run']) mkdirSync(join(dir, folder));
  rmSync(join(conf, 'sites-enabled'), { recursive: true });
  mkdirSync(join(conf, 'sites-enabled'));
  rmSync(join(conf, 'mods-enabled/eap'), { force: true });
  const [auth, acct] = [await freePort(), await freePort()];
  const ports = { auth, acct };
  const write = (name: string, from: string, changes: readonly (readonly [string | RegExp, string])[]) =>
    writeFileSync(join(conf, name), edited(from, changes));
  write('radiusd.conf', join(installed, 'radiusd.conf'), [
    [/^raddbdir = .*/gm, `raddbdir = ${conf}`],
    [/^logdir = .*/gm, `logdir = ${dir}/log`],
    [/^run_dir = .*/gm, `run_dir = ${dir}/run`],
    [/^\t(user|group) = freerad$/gm, ''],
  ]);
  write('clients.conf', join(documented, 'clients.conf'), [
    ['192.0.2.0/24', '127.0.0.0/8'],
    ['SECRET_OF_THE_ACCESS_POINTS', apSecret],
  ]);
  write('proxy.conf', join(documented, 'proxy.conf'), [
    ['console.example.com', '127.0.0.1'],
    ['SECRET_OF_THE_CONSOLE', home.secret],
    ['port = 1812', `port = ${home.auth}`],
    ['port = 1813', `port = ${home.acct}`],
  ]);
  write('mods-enabled/eap', join(documented, 'eap'), []);
  write('sites-enabled/yunxun', join(documented, 'yunxun'), [
    ['port = 1812', `port = ${ports.auth}`],
    ['port = 1813', `port = ${ports.acct}`],
  ]);
  const certificate = join(conf, 'certs/yunxun.pem');
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', join(conf, 'certs/yunxun.key')];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', certificate, '-subj', '/CN=radius.test', '-days', '2'], {
    stdio: 'ignore',
  });
  const child = spawn(program, ['-f', '-xx', '-l', 'stdout', '-d', conf, '-n', 'radiusd']);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString();
      if (output.includes('Ready to process requests')) resolve();
    });
    child.once('exit', () => reject(new Error(`freeradius ended: ${output.slice(-2000)}`)));
  });

  return {
    acct,
    secret: apSecret,
    async signIn(asked: { by: 'PEAP' | 'TTLS'; name: string; password: string; session: string; mac: string }) {
      const { by, name, password, session, mac } = asked;
      const file = join(dir, 'supplicant.conf');
      writeFileSync(
        file,
        `network={
 ssid="lobby"
 key_mgmt=WPA-EAP
 eap=${by}
 identity="${name}"
 anonymous_identity="anonymous"
 password="${password}"
 phase2="auth=${by === 'PEAP' ? 'MSCHAPV2' : 'PAP'}"
 ca_cert="${certificate}"
}
`,
      );
      const to = ['-a', '127.0.0.1', '-p', String(ports.auth), '-s', apSecret];
      const run = spawn(supplicant, ['-c', file, ...to, '-M', mac, '-N', `44:s:${session}`, '-t', '20']);
      const ended = once(run, 'exit') as Promise<[code: number]>;
      const [shown, [code]] = await Promise.all([text(run.stdout), ended]);
      return code === 0 ? shown : null;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      rmSync(dir, { recursive: true });
    },
  };
}
