import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { keepPicture, openPage, startBrowser, type Visit } from '../browser.ts';
import { type LabConsole, slowly, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';
import { type RemoteBox, startRemoteBox } from './remote-box.ts';

/** A real nginx behind a real box, seen in Chromium through a real console. */

let lab: LabConsole;
let browser: Browser;
let device = '';
let box: RemoteBox | undefined;
let visit: Visit | undefined;

labFixture(async (own) => {
  lab = own(
    await startLabConsole({
      dhcpOnWans: true,
      settings: { YUNXUN_REMOTE_HOST: 'remote.test', YUNXUN_REMOTE_PORT: '0' },
    }),
  );
  const started = await startBrowser({ names: { '*.remote.test': lab.lab.console! } });
  own({ stop: () => started.close(), logText: async () => '' });
  browser = started;
  box = undefined;
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepPicture(visit?.page, `remote web ${task.name}`);
  await visit?.context.close();
  visit = undefined;
});

async function joined(): Promise<RemoteBox> {
  if (box) return box;
  const started = await startRemoteBox(lab);
  device = started.device;
  await startDevice();
  box = started;
  return box;
}

async function startDevice(): Promise<void> {
  const { folder } = lab.lab;
  const at = (name: string) => join(folder, name);
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=camera', '-days', '30'];
  execFileSync('openssl', [...request, '-keyout', at('web.key'), '-out', at('web.crt')], { stdio: 'ignore' });
  const page = (title: string, more = '') => `<!doctype html><title>${title}</title><h1>${title}</h1>${more}`;
  const form = '<form method="post" action="/sign-in"><input name="user"><button>Sign in</button></form>';
  const links = `<a id="absolute" href="http://${device}/next">next</a>${' '.repeat(2000)}`;
  writeFileSync(
    at('web.conf'),
    `user root; daemon off; pid ${at('web.pid')}; error_log stderr; worker_processes 1;
events {}
http {
  access_log off; gzip on; gzip_types text/html; gzip_min_length 100; default_type text/html;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${at(`web-${one}`)};`).join(' ')}
  server {
    listen ${device}:80;
    location = / { if ($cookie_sid != "7") { return 302 http://${device}/login; } return 200 '${page('Camera', links)}'; }
    location = /login { return 200 '${page('Login', form)}'; }
    location = /sign-in { add_header Set-Cookie "sid=7; Path=/; Domain=${device}"; return 303 /; }
    location = /next { return 200 '${page('Next')}'; }
    location / {
      proxy_pass http://${device}:8081; proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $http_connection;
    }
  }
  server {
    listen ${device}:8443 ssl; ssl_certificate ${at('web.crt')}; ssl_certificate_key ${at('web.key')};
    auth_basic "Camera"; auth_basic_user_file ${at('web.users')};
    root ${at('site')};
  }
}
`,
  );
  mkdirSync(at('site'));
  writeFileSync(at('site/index.html'), page('Secure'));
  const hash = execFileSync('openssl', ['passwd', '-apr1', 'lab secret'], { encoding: 'utf8' }).trim();
  writeFileSync(at('web.users'), `admin:${hash}\n`);
  const peer = lab.lab.start('a', process.execPath, [join(import.meta.dirname, 'web-peer.mjs'), device, '8081']);
  await once(peer.stdout!, 'data');
  lab.lab.start('a', '/usr/sbin/nginx', ['-c', at('web.conf'), '-p', folder]);
  const answers = async () => (await lab.lab.try('a', 'curl', '-s', `http://${device}/login`)).stdout;
  await expect.poll(answers, slowly).toContain('Login');
}

async function shown(webPort: number, path = '/'): Promise<{ page: Page; inside: FrameLocator; id: string }> {
  const { register } = await joined();
  const { ask } = lab;
  const peripheral = await register({ name: 'Door-Camera', type: 'camera', web_port: webPort });
  const asked = { peripheral_id: peripheral, kind: 'web', purpose: 'Look', cols: 80, rows: 24 };
  const { id } = (await ask<{ id: string }>('/api/v3/remote/open', asked)).data;
  visit = await openPage(browser, lab.url, 'en', 'light', { token: lab.owner.token });
  const { page } = visit;
  await page.goto(`${lab.url}/remote/web/${id}`);
  await page.waitForURL(/-bar\.remote\.test/);
  if (path !== '/') {
    await page.goto(`${new URL(page.url()).origin}/?to=${encodeURIComponent(path)}`);
  }
  return { page, inside: page.frameLocator('#page'), id };
}

it('signs in to a page, follows its own addresses, and ends from the bar', async () => {
  const { page, inside, id } = await shown(80);
  await inside.getByRole('heading', { name: 'Login' }).waitFor();
  await page.getByText('Door-Camera', { exact: true }).waitFor();
  await inside.getByRole('textbox').fill('admin');
  await inside.getByRole('button', { name: 'Sign in' }).click();
  await inside.getByRole('heading', { name: 'Camera' }).waitFor();
  await inside.locator('#absolute').click();
  await inside.getByRole('heading', { name: 'Next' }).waitFor();
  expect(visit!.errors).toEqual([]);
  await page.getByRole('button', { name: 'End the session' }).click();
  await page.getByRole('heading', { name: 'The session is over' }).waitFor();
  const sessions = async () => (await lab.ask<{ list: object[] }>('/api/v3/remote/list', { limit: 10 })).data.list;
  const ended = expect.objectContaining({ id, state: 'ended', end_reason: 'by_person' });
  await expect.poll(sessions, slowly).toContainEqual(ended);
});

it('carries the WebSocket of a page', async () => {
  const { inside } = await shown(80, '/live-page');
  await inside.getByText('echo: pan left').waitFor();
});

it('shows a self-signed page behind a 401', async () => {
  const { page } = await shown(8443);
  const { origin } = new URL(await page.locator('#page').evaluate((frame) => (frame as HTMLIFrameElement).src));
  const headers = { authorization: `Basic ${Buffer.from('admin:lab secret').toString('base64')}` };
  const read = (more: object) =>
    page.frames()[1]!.evaluate(
      async (sent) => {
        const answer = await fetch('/', { headers: sent });
        return [answer.status, answer.headers.get('www-authenticate'), await answer.text()] as const;
      },
      { ...more },
    );
  expect(await read({})).toEqual([401, 'Basic realm="Camera"', expect.any(String)]);
  expect(await read(headers)).toEqual([200, null, expect.stringContaining('Secure')]);
  expect(origin).toMatch(/^http:\/\/[a-z2-7]{52}\.remote\.test/);
});

it('gives a hostile page nothing of ours, and no way out of its frame', async () => {
  const { page, inside } = await shown(80, '/hostile');
  await expect.poll(() => inside.locator('#found').innerText()).toContain('"after"');
  const found = JSON.parse(await inside.locator('#found').innerText());
  expect(found).toMatchObject({
    reads: '',
    frame: 'SecurityError',
    storage: 'SecurityError',
    state: 'TypeError',
    end: 'TypeError',
    own: 404,
    top: 'SecurityError',
    after: 200,
  });
  expect(page.url()).toContain('-bar.remote.test');
  await page.getByText('Door-Camera', { exact: true }).waitFor();
  await page.reload();
  await page.getByText('Door-Camera', { exact: true }).waitFor();
  const ours = await visit!.context.cookies(lab.url);
  expect(ours.map(({ name }) => name)).not.toContain('yunxun-remote');
});
