import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guests, nameOf, password, secret } from './load.ts';

/** Has all guests in the users file, and nothing to write. */
export async function startFreeradius(
  folder: string,
  ports: { auth: number; acct: number },
): Promise<{ stop(): Promise<void> }> {
  mkdirSync(folder, { recursive: true });
  const users = Array.from({ length: guests }, (_, at) => `${nameOf(at)} Cleartext-Password := "${password}"`);
  writeFileSync(join(folder, 'users'), `${users.join('\n')}\n`);
  writeFileSync(join(folder, 'dictionary'), '$INCLUDE /usr/share/freeradius/dictionary\n');
  const listen = (type: string, port: number) =>
    `listen {\n type = ${type}\n ipaddr = 127.0.0.1\n port = ${port}\n }\n`;
  writeFileSync(
    join(folder, 'radiusd.conf'),
    `libdir = /usr/lib/freeradius
logdir = ${folder}
run_dir = ${folder}
max_requests = 65536
client bench {
 ipaddr = 127.0.0.1
 secret = ${secret}
}
modules {
 files {
 filename = ${join(folder, 'users')}
 }
 pap {
 }
 chap {
 }
 always ok {
 rcode = ok
 }
}
server default {
 ${listen('auth', ports.auth)}
 ${listen('acct', ports.acct)}
 authorize {
 chap
 files
 pap
 }
 authenticate {
 Auth-Type PAP {
 pap
 }
 Auth-Type CHAP {
 chap
 }
 }
 accounting {
 ok
 }
}
`,
  );
  const child = spawn('/usr/sbin/freeradius', ['-f', '-l', 'stdout', '-d', folder, '-n', 'radiusd']);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString();
      if (output.includes('Ready to process requests')) resolve();
    });
    child.once('exit', () => reject(new Error(`freeradius ended: ${output}`)));
  });
  return {
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
