import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { captiveHost } from './captive-host.ts';
import { logged } from './lab.ts';

const { parts, captive, apply, visit, status, order } = captiveHost();

it('captures HTTP with the MAC that the kernel knows, resets HTTPS, and drops the rest', async () => {
  const { lab } = parts();
  const { status: first, to } = await visit();
  expect(first).toBe(302);
  expect(Object.fromEntries(new URL(to).searchParams)).toMatchObject({
    mac: lab.mac('a'),
    url: 'http://192.0.2.10/whoami',
  });
  // 7 and 28 of curl: refused at once, and no answer in time
  const refusal = async (url: string) => (await lab.try('a', 'curl', '-sk', '-m', '4', '-o', '/dev/null', url)).code;
  expect(await refusal('https://192.0.2.10/whoami')).toBe(7);
  expect(await refusal('http://192.0.2.10:8080/whoami')).toBe(28);
  expect((await lab.try('a', 'ping', '-c', '1', '-W', '1', '192.0.2.10')).code).not.toBe(0);
});

it('opens the walled garden by the answers of its own resolver, and by address', async () => {
  const { lab } = parts();
  // a query for another server ends at the gateway
  const named = { url: 'http://cdn.googlevideo.com/whoami', resolver: '192.0.2.53', timeoutS: 5 };
  expect((await lab.call('a', named)).status).toBe(200);
  expect(await status('http://192.0.2.13/whoami')).toBe(200);
  expect(await status('http://192.0.2.12/whoami')).toBe(302);
});

it('names the API in leases, and the client to the portal, before and after a grant', async () => {
  const { lab } = parts();
  const name = 'www.example.com';
  const [page, api] = [`https://${name}:8443/p/abc/edge`, `https://${name}:8443/p/abc/api`];
  await apply({ captive: { ...captive(), page, api } });
  const script = join(lab.folder, 'option.sh');
  writeFileSync(script, '#!/bin/sh\n[ "$1" = bound ] && echo "option=$opt114"\nexit 0\n', { mode: 0o755 });
  const asks = ['-i', 'eth0', '-n', '-q', '-f', '-T', '1', '-t', '30', '-O', '114', '-s', script];
  const leased = await lab.run('a', 'busybox', 'udhcpc', ...asks);
  expect(Buffer.from(/^option=([0-9a-f]+)$/m.exec(leased)?.[1] ?? '', 'hex').toString()).toBe(api);

  const heard = `require("net").createServer((s)=>s.on("data",(d)=>{console.log(String(d).split("\\n")[0]);s.end()})).listen(8443,"192.0.2.10",()=>console.log("ready"))`;
  const portal = lab.start('net', process.execPath, ['-e', heard]);
  let lines = '';
  portal.stdout?.on('data', (part: Buffer) => {
    lines += part.toString();
  });
  await logged(portal, 'ready');
  const ask = () =>
    lab.call('a', { url: `http://${name}:8443/`, resolver: '192.0.2.53', timeoutS: 5 }).catch(() => null);
  const named = () => lines.split('\n').filter((line) => line.startsWith(`YUNXUN ${lab.mac('a')} `)).length;
  await ask();
  await expect.poll(named).toBe(1);
  await order('grant', 'ticket-api');
  await ask();
  await expect.poll(named).toBe(2);
  await order('revoke', 'ticket-api');
  portal.kill('SIGKILL');
});

it('keeps a grant through changed rules, a killed agent and a lost table, until it is revoked', async () => {
  const { lab, host } = parts();
  await order('grant', 'ticket-one');
  expect(await status()).toBe(200);
  expect(await status('https://192.0.2.10/whoami')).toBe(200);
  await apply({ captive: { ...captive(), garden: [], exempt_macs: ['02:00:00:00:00:77'] } });
  expect(await status()).toBe(200);
  await host.end('SIGKILL');
  expect(await status()).toBe(200);
  await lab.run('gw', 'nft', 'delete', 'table', 'inet', 'yunxun_captive');
  await host.start();
  await expect.poll(() => lab.try('gw', 'nft', 'list', 'table', 'inet', 'yunxun_captive')).toMatchObject({ code: 0 });
  expect(await status()).toBe(200);
  await order('revoke', 'ticket-one');
  expect(await status()).toBe(302);
});

it('ends a grant with its time', async () => {
  await order('grant', 'ticket-two', { seconds: 5 });
  expect(await status()).toBe(200);
  await expect.poll(() => status()).toBe(302);
});

it('leaves exempt clients alone, and removes its table when it is switched off', async () => {
  const { lab } = parts();
  await apply({ captive: { ...captive(), exempt_macs: [lab.mac('a')] } });
  expect(await status()).toBe(200);
  await apply();
  expect(await status('http://192.0.2.12/whoami')).toBe(200);
  expect((await lab.try('gw', 'nft', 'list', 'table', 'inet', 'yunxun_captive')).code).not.toBe(0);
});
