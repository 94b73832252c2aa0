import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, nextOf, type Page, signInForm } from '@yunxun/simulator';
import { expect, it } from 'vitest';
import { portalDraft, portalLimits } from '../../../packages/server/test/portal-draft.ts';
import { type LabConsole, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';
import { type OpenNds, startOpenNds } from './opennds.ts';

const consoleName = 'guests.lab.example';

let labConsole: LabConsole;
let nds: OpenNds;

/** Self-signed: PHP on the gateway is configured to trust it. */
function certificate(folder: string): { cert: string; key: string } {
  const [cert, key] = [join(folder, 'page.crt'), join(folder, 'page.key')];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const named = ['-subj', `/CN=${consoleName}`, '-addext', `subjectAltName=DNS:${consoleName}`];
  execFileSync('openssl', [...made, ...named, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert, key };
}

labFixture(async (own) => {
  const folder = mkdtempSync(join(tmpdir(), 'yx-opennds-'));
  own({ stop: () => rmSync(folder, { recursive: true, force: true }) });
  const { cert, key } = certificate(folder);
  const settings = { YUNXUN_TLS_CERT: cert, YUNXUN_TLS_KEY: key };
  labConsole = own(await startLabConsole({ consoleName, settings }));
  const names = `${labConsole.lab.console} ${consoleName}`;
  nds = own(await startOpenNds(labConsole.lab, { names, authority: cert }));
});

const data = async <T>(path: string, input: object): Promise<T> =>
  (await labConsole.ask<T>(`/api/v3/${path}`, input)).data;

async function gated(gateway: 'opennds_1' | 'opennds_3', method: object): Promise<{ gwid: string; settings: string }> {
  const { gwid } = await data<{ gwid: string }>('network/create', { remark: gateway });
  const draft = portalDraft({ methods: [{ ...portalLimits, ...method }] });
  const { id } = await data<{ id: string }>('auth_template/create', { name: gateway, ...draft });
  await data('auth_template/publish', { id, revision: 1 });
  const site = { gwid, enabled: true, template_id: id, gateway };
  const { secrets } = await data<{ secrets: { settings: string } }>('portal/site/save', site);
  await enter(secrets.settings);
  return { gwid, settings: secrets.settings };
}

async function enter(settings: string): Promise<void> {
  await nds.configure(settings);
  await labConsole.lab.lease('a');
}

const curl = (...words: string[]) => {
  const { lab } = labConsole;
  // as a resolver would answer
  const named = ['--connect-to', `${consoleName}::${lab.console}:`];
  return lab.try('a', 'curl', '-sk', '-m', '10', '-H', 'accept-language: en', ...named, ...words);
};

async function visit(url = 'http://192.0.2.10/whoami'): Promise<{ status: number; to: string; code: number }> {
  const { stdout, code } = await curl('-o', '/dev/null', '-w', '%{http_code} %{redirect_url}', url);
  const [status = '0', to = ''] = stdout.split(' ');
  return { status: Number(status), to, code };
}
const status = async () => (await visit()).status;

const open: Browser = async (url, form) => {
  // a browser names its origin in forms
  const posted = form ? ['-H', `origin: ${new URL(url).origin}`, '-d', form.toString()] : [];
  const { stdout } = await curl('-L', '-w', '\n%{url_effective}', ...posted, url);
  const at = stdout.lastIndexOf('\n');
  return { html: stdout.slice(0, at), url: stdout.slice(at + 1) };
};

async function signIn(way: string, typed: Record<string, string> = {}): Promise<Page> {
  const { status: captured, to } = await visit();
  expect(captured).toBe(307);
  return open(...signInForm(await open(to), way, typed));
}

const goOn = (page: Page) => open(nextOf(page)!);

const sessionsOf = async (gwid: string) =>
  (
    await data<{ list: { state: string; mac: string; end_reason: string | null; verified: boolean }[] }>(
      'portal/session/list',
      { gwid },
    )
  ).list;

it('lets a guest in with one click at level 1, and with its earlier secret until the new settings are entered', async () => {
  const { gwid, settings } = await gated('opennds_1', { kind: 'one_click', minutes: 60 });
  const { lab } = labConsole;
  expect(settings).toContain(`fasremoteip='${lab.console}'`);
  expect(settings).toContain(`fasremotefqdn='${consoleName}'`);
  // refused at once: 7 of curl
  expect((await visit('https://192.0.2.10/whoami')).code).toBe(7);
  const { to } = await visit();
  expect(to).toMatch(new RegExp(`^http://${consoleName}:\\d+/p/[\\w-]{22}/fas/[\\w-]{8}\\?fas=`));

  expect((await goOn(await signIn('one_click'))).html).toContain('You are online');
  expect(await status()).toBe(200);
  const client = async () => (await nds.clients())[lab.mac('a')]!;
  const { state, session_start, session_end } = await client();
  expect(state).toBe('Authenticated');
  expect(Number(session_end) - Number(session_start)).toBe(60 * 60);
  expect(await sessionsOf(gwid)).toMatchObject([{ state: 'online', mac: lab.mac('a'), verified: false }]);

  const leave = async () => {
    expect((await nds.ndsctl('deauth', lab.mac('a'))).code).toBe(0);
    await expect.poll(status).toBe(307);
  };
  await leave();
  const renewed = await data<{ settings: string }>('portal/secret/renew', { gwid });
  const oldSince = async () =>
    (await data<{ site: { old_secret_since: string | null } }>('portal/site', { gwid })).site.old_secret_since;
  await goOn(await signIn('one_click'));
  expect(await status()).toBe(200);
  expect(await oldSince()).not.toBeNull();
  await leave();
  await enter(renewed.settings);
  await goOn(await signIn('one_click'));
  expect(await status()).toBe(200);
  expect(await oldSince()).toBeNull();
});

it('lets a guest in with a voucher at level 3, with its limits, and ends the session that the gateway ends', async () => {
  const { gwid } = await gated('opennds_3', { kind: 'voucher', up_kbps: 512, down_kbps: 2048 });
  const { lab } = labConsole;
  const batch = {
    gwid,
    name: 'Day',
    count: 1,
    minutes: 30,
    devices: 1,
    valid_days: 1,
    characters: 'digits',
    length: 8,
  };
  const { codes } = await data<{ codes: string[] }>('portal/voucher/create', batch);
  expect((await visit()).to).toMatch(new RegExp(`^https://${consoleName}:`));
  expect((await signIn('voucher', { voucher: 'wrong-one' })).html).toContain('role="alert"');
  expect(await status()).toBe(307);

  const connecting = await signIn('voucher', { voucher: codes[0]! });
  expect(connecting.html).toContain('Connecting');
  await expect.poll(status).toBe(200);
  // its next poll tells the console
  await expect.poll(async () => (await goOn(connecting)).html).toContain('You are online');
  const client = (await nds.clients())[lab.mac('a')]!;
  expect(client).toMatchObject({
    state: 'Authenticated',
    upload_rate_limit_threshold: '512',
    download_rate_limit_threshold: '2048',
  });
  const minutes = (Number(client.session_end) - Number(client.session_start)) / 60;
  expect(minutes).toBeGreaterThan(28);
  expect(minutes).toBeLessThanOrEqual(30);
  expect(await sessionsOf(gwid)).toMatchObject([{ state: 'online', mac: lab.mac('a'), verified: true }]);

  expect((await nds.ndsctl('deauth', lab.mac('a'))).code).toBe(0);
  await expect.poll(() => sessionsOf(gwid)).toMatchObject([{ state: 'ended', end_reason: 'gateway' }]);
  expect(await status()).toBe(307);
});
