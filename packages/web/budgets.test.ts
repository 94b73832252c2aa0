// Size limits per screen for a first visit: program, screen and one language, compressed. Reads the output of `npm run
// build`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

const dist = join(import.meta.dirname, 'dist');
const KIB = 1024;

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
const sizes = new Map<string, number>();

function size(file: string): number {
  const known = sizes.get(file) ?? gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
  sizes.set(file, known);
  return known;
}

function filesOf(entries: readonly string[]): { js: string[]; css: string[] } {
  const seen = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`the build has no ${key}`);
    if (seen.has(key)) return;
    seen.add(key);
    for (const each of chunk.imports ?? []) visit(each);
  };
  for (const entry of entries) visit(entry);
  const chunks = [...seen].map((key) => manifest[key] as Chunk);
  return { js: chunks.map((chunk) => chunk.file), css: [...new Set(chunks.flatMap((chunk) => chunk.css ?? []))] };
}

const total = (files: readonly string[]): number => files.reduce((sum, file) => sum + size(file), 0) / KIB;

const publicScreens = /\/identity\/(login|register|forgot|password-reset)\.tsx$/;
const alone = /\/(identity\/qr-confirm|account\/invitation|remote\/(terminal|screen|guest|replay)-screen)\.tsx$/;

function around(screen: string, language: string): string[] {
  const first = ['index.html', `src/messages/${language}.ts`];
  if (publicScreens.test(screen)) return first;
  first.push(`src/messages/${language}/inside.ts`);
  return alone.test(screen) ? first : [...first, 'src/app/shell/shell.tsx'];
}

const table = ['src/features/fleet/networks/networks.tsx'];
const [signIn, screen] = [165, 230];
const screens: [name: string, entries: string[], budget: number][] = [
  ['sign-in', ['src/features/identity/login.tsx'], signIn],
  ['register', ['src/features/identity/register.tsx'], signIn],
  ['forgotten password', ['src/features/identity/forgot.tsx'], signIn],
  ['new password', ['src/features/identity/password-reset.tsx'], signIn],
  ['sign-in by QR code', ['src/features/identity/login.tsx', 'src/features/identity/qr-form.tsx'], signIn],
  ['a phone that confirms', ['src/features/identity/qr-confirm.tsx'], signIn],
  ['overview', ['src/features/statistics/overview.tsx'], screen],
  [
    'overview, scrolled to its end',
    [
      'src/features/statistics/overview.tsx',
      'src/features/statistics/flow-model.tsx',
      'src/features/statistics/user-model.tsx',
    ],
    screen,
  ],
  [
    'overview before the first device',
    ['src/features/statistics/overview.tsx', 'src/features/fleet/waiting/waiting-guide.tsx'],
    screen,
  ],
  ['wireless monitor', ['src/features/wireless-monitor/wireless-monitor.tsx'], screen],
  ['topology', ['src/features/topology/topology.tsx'], screen],
  ['map', ['src/features/map/map.tsx'], screen],
  ['assets', ['src/features/assets/assets.tsx'], screen],
  ['networks', table, screen],
  ['access points', ['src/features/fleet/devices/access-points.tsx'], screen],
  [
    'network, overview with its timeline and flow',
    [
      'src/features/fleet/networks/network.tsx',
      'src/features/fleet/networks/network-overview.tsx',
      'src/features/statistics/network-flow.tsx',
      'src/features/network-timeline/network-timeline.tsx',
    ],
    screen,
  ],
  ['network, wireless', ['src/features/fleet/networks/network.tsx', 'src/features/configuration/wireless.tsx'], screen],
  [
    'network, devices',
    ['src/features/fleet/networks/network.tsx', 'src/features/fleet/networks/network-devices.tsx'],
    screen,
  ],
  ['network, tools', ['src/features/fleet/networks/network.tsx', 'src/features/fleet/tools/network-tools.tsx'], screen],
  [
    'network, settings',
    ['src/features/fleet/networks/network.tsx', 'src/features/fleet/networks/network-settings.tsx'],
    screen,
  ],
  [
    'an access point and its day',
    ['src/features/fleet/devices/access-points.tsx', 'src/features/fleet/devices/device-charts.tsx'],
    screen,
  ],
  ['channel plan', ['src/features/fleet/devices/access-points.tsx', 'src/features/radio-plan/plan-dialog.tsx'], screen],
  ['terminals', ['src/features/users/users.tsx'], screen],
  ['dynamic passwords', ['src/features/passwords/passwords.tsx'], screen],
  ['portal templates', ['src/features/portal-templates/template-list.tsx'], screen],
  ['portal template', ['src/features/portal-templates/template-screen.tsx'], screen],
  ['portal page', ['src/features/portal-templates/page-editor.tsx'], screen],
  ['RADIUS clients', ['src/features/radius/radius-clients.tsx'], screen],
  ['wireless templates', ['src/features/templates/templates.tsx'], screen],
  ['wireless template', ['src/features/templates/template.tsx'], screen],
  ['wireless template, pushes', ['src/features/templates/template.tsx', 'src/features/templates/pushes.tsx'], screen],
  [
    'a terminal and its day',
    ['src/features/users/users.tsx', 'src/features/users/day-charts.tsx', 'src/features/users/client-sessions.tsx'],
    screen,
  ],
  ['gateway', ['src/features/configuration/gateway/screen.tsx'], screen],
  ['waiting devices', ['src/features/fleet/waiting/waiting.tsx'], screen],
  ['import of devices', ['src/features/fleet/waiting/waiting.tsx', 'src/features/imports/import-dialog.tsx'], screen],
  ['cloud backup', ['src/features/backup/screen.tsx', 'src/features/backup/backups.tsx'], screen],
  ['upgrades', ['src/features/firmware/screen.tsx', 'src/features/firmware/log.tsx'], screen],
  ['firmware', ['src/features/firmware/screen.tsx', 'src/features/firmware/images.tsx'], screen],
  ['alarms', ['src/features/alarms/alarms.tsx', 'src/features/alarms/alarm-table.tsx'], screen],
  ['alarm rules', ['src/features/alarms/alarms.tsx', 'src/features/alarms/rules.tsx'], screen],
  ['jobs', ['src/features/jobs/jobs.tsx'], screen],
  ['terminal', ['src/features/remote/terminal-screen.tsx', 'src/features/remote/terminal.ts'], screen],
  ['replay', ['src/features/remote/replay-screen.tsx', 'src/features/remote/replay-terminal.ts'], screen],
  ['remote screen', ['src/features/remote/screen-screen.tsx', 'src/features/remote/vnc.ts'], screen],
  ['profile', ['src/features/personal/profile.tsx'], screen],
  ['account security', ['src/features/personal/security.tsx'], screen],
  ['signed-in devices', ['src/features/personal/security.tsx', 'src/features/personal/sessions.tsx'], screen],
  ['API tokens', ['src/features/personal/security.tsx', 'src/features/personal/tokens.tsx'], screen],
  ['balance', ['src/features/billing/account/balance.tsx'], screen],
  ['personalization', ['src/features/personal/personalization.tsx'], screen],
  ['accounts, members', ['src/features/account/account.tsx'], screen],
  ['accounts, invitations', ['src/features/account/account.tsx', 'src/features/account/invitations.tsx'], screen],
  ['accounts, hosting', ['src/features/account/account.tsx', 'src/features/account/given.tsx'], screen],
  ['accounts, settings', ['src/features/account/account.tsx', 'src/features/account/settings.tsx'], screen],
  ['invitation', ['src/features/account/invitation.tsx'], screen],
  ['installation', ['src/features/installation/install.tsx'], screen],
  [
    'installation, mail and SMS',
    ['src/features/installation/install.tsx', 'src/features/installation/delivery-tab.tsx'],
    screen,
  ],
  [
    'installation, accounts',
    ['src/features/installation/install.tsx', 'src/features/installation/accounts.tsx'],
    screen,
  ],
  ['operation log', ['src/features/logs/action-log.tsx'], screen],
  ['sign-in log', ['src/features/logs/auth-log.tsx'], screen],
  ['messages', ['src/features/messages/messages.tsx'], screen],
  ['message', ['src/features/messages/message.tsx'], screen],
];

const routes = readFileSync(join(import.meta.dirname, 'src/app/routes.ts'), 'utf8');
const named = new Set(screens.flatMap(([, entries]) => entries));
for (const [, path, file] of routes.matchAll(/path: '([^']+)'.*?import\('\.\.\/([^']+)'\)/g))
  if (!named.has(`src/${file}`)) screens.push([path!, [`src/${file}`], screen]);

test('signing in needs neither the layout, nor what draws QR codes, nor what speaks to passkeys', () => {
  const { js } = filesOf(['index.html', 'src/features/identity/login.tsx']);
  const late = ['src/app/shell/shell.tsx', 'src/features/identity/qr-form.tsx', 'src/app/passkey.ts'].map(
    (key) => manifest[key]?.file,
  );
  expect(late.every(Boolean)).toBe(true);
  expect(js.filter((file) => late.includes(file))).toEqual([]);
});

describe.each(['zh-cn', 'en'])('in %s', (language) => {
  test.each(screens)('%s', (name, entries, budget) => {
    const { js, css } = filesOf([...around(entries[0] ?? '', language), ...entries]);
    const [ofJs, ofCss] = [total(js), total(css)];
    if (ofJs > budget * 0.97) console.warn(`${name}: ${ofJs.toFixed(1)} of ${budget} KiB`);
    expect(ofJs).toBeLessThanOrEqual(budget);
    expect(ofCss).toBeLessThanOrEqual(16);
  });

  test('the overview with all its cards and texts', () => {
    const texts = ['fleet', 'statistics', 'alarms', 'outages', 'trouble'].map(
      (part) => `src/messages/${language}/${part}.ts`,
    );
    const cards = ['problems-card', 'night-card', 'tiles-card', 'ranking-card'].map((name) => `trouble/${name}`);
    const parts = ['overview', ...cards, 'flow-model', 'user-model'].map(
      (name) => `src/features/statistics/${name}.tsx`,
    );
    const { js, css } = filesOf([...around(parts[0]!, language), ...parts, ...texts]);
    expect(total(js)).toBeLessThanOrEqual(screen);
    expect(total(css)).toBeLessThanOrEqual(16);
  });

  test('the texts', () => {
    expect(size(manifest[`src/messages/${language}.ts`]?.file ?? '') / KIB).toBeLessThanOrEqual(20);
  });
});

test('no file is larger than 80 KiB', () => {
  const files = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'));
  expect(files.length).toBeGreaterThan(10);
  for (const name of files) expect([name, size(`assets/${name}`) / KIB <= 80]).toEqual([name, true]);
});

test('the browser carries no schema library and no schemas', () => {
  for (const name of readdirSync(join(dist, 'assets')).filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(join(dist, 'assets', name), 'utf8');
    // marks of typebox schemas and modules, and a property of endpoint definitions
    expect([name, /~kind|TypeBox|additionalProperties|unaudited/.test(text)]).toEqual([name, false]);
  }
});

test('nothing is written into the page that the Content-Security-Policy forbids', () => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  expect(html).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=/);
  for (const name of readdirSync(join(dist, 'assets')).filter((each) => each.endsWith('.css'))) {
    expect(readFileSync(join(dist, 'assets', name), 'utf8')).not.toContain('data:');
  }
});
