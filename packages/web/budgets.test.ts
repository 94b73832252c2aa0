// Byte budgets of the console, per screen, as a first visit meets them: program, screen and one language, compressed.
// Reads the built console; `npm run build` makes it.
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

/** The files that a first visit to screens reads, everything they import included. */
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

const anybody = /\/identity\/(login|register|forgot|password-reset)\.tsx$/;
const alone = /\/(identity\/qr-confirm|account\/invitation)\.tsx$/;

/** What comes with a screen besides: the page's own texts, those behind the sign-in, and the layout. */
function around(screen: string, language: string): string[] {
  const first = ['index.html', `src/messages/${language}.ts`];
  if (anybody.test(screen)) return first;
  first.push(`src/messages/${language}/inside.ts`);
  return alone.test(screen) ? first : [...first, 'src/app/shell/shell.tsx'];
}

const table = ['src/features/fleet/networks.tsx'];
const screens: [name: string, entries: string[], budget: number][] = [
  ['sign-in', ['src/features/identity/login.tsx'], 155],
  ['register', ['src/features/identity/register.tsx'], 155],
  ['forgotten password', ['src/features/identity/forgot.tsx'], 155],
  ['new password', ['src/features/identity/password-reset.tsx'], 155],
  ['sign-in by QR code', ['src/features/identity/login.tsx', 'src/features/identity/qr-form.tsx'], 155],
  ['a phone that confirms', ['src/features/identity/qr-confirm.tsx'], 155],
  ['overview', ['src/features/statistics/overview.tsx'], 180],
  [
    'overview, scrolled to its end',
    [
      'src/features/statistics/overview.tsx',
      'src/features/statistics/flow-model.tsx',
      'src/features/statistics/user-model.tsx',
    ],
    180,
  ],
  [
    'overview before the first device',
    ['src/features/statistics/overview.tsx', 'src/features/fleet/waiting-guide.tsx'],
    180,
  ],
  ['wireless monitor', ['src/features/wireless-monitor/wireless-monitor.tsx'], 180],
  ['topology', ['src/features/topology/topology.tsx'], 180],
  ['map', ['src/features/map/map.tsx'], 180],
  ['assets', ['src/features/assets/assets.tsx'], 190],
  ['networks', table, 190],
  ['access points', ['src/features/fleet/access-points.tsx'], 190],
  [
    'network, overview with its flow',
    [
      'src/features/fleet/network.tsx',
      'src/features/fleet/network-overview.tsx',
      'src/features/statistics/network-flow.tsx',
    ],
    190,
  ],
  ['network, wireless', ['src/features/fleet/network.tsx', 'src/features/configuration/wireless.tsx'], 190],
  ['network, devices', ['src/features/fleet/network.tsx', 'src/features/fleet/network-devices.tsx'], 190],
  ['network, tools', ['src/features/fleet/network.tsx', 'src/features/fleet/tools/network-tools.tsx'], 190],
  ['network, settings', ['src/features/fleet/network.tsx', 'src/features/fleet/network-settings.tsx'], 190],
  [
    'an access point and its day',
    ['src/features/fleet/access-points.tsx', 'src/features/fleet/device-charts.tsx'],
    190,
  ],
  ['channel plan', ['src/features/fleet/access-points.tsx', 'src/features/radio-plan/plan-dialog.tsx'], 190],
  ['terminals', ['src/features/users/users.tsx'], 190],
  ['dynamic passwords', ['src/features/passwords/passwords.tsx'], 190],
  ['wireless templates', ['src/features/templates/templates.tsx'], 190],
  ['wireless template', ['src/features/templates/template.tsx'], 190],
  ['wireless template, pushes', ['src/features/templates/template.tsx', 'src/features/templates/pushes.tsx'], 190],
  [
    'a terminal and its day',
    ['src/features/users/users.tsx', 'src/features/users/day-charts.tsx', 'src/features/users/stays.tsx'],
    190,
  ],
  ['gateway', ['src/features/configuration/gateway/screen.tsx'], 190],
  ['waiting devices', ['src/features/fleet/waiting.tsx'], 190],
  ['import of devices', ['src/features/fleet/waiting.tsx', 'src/features/imports/import-dialog.tsx'], 190],
  ['cloud backup', ['src/features/backup/screen.tsx', 'src/features/backup/backups.tsx'], 190],
  ['upgrades', ['src/features/firmware/screen.tsx', 'src/features/firmware/log.tsx'], 190],
  ['firmware', ['src/features/firmware/screen.tsx', 'src/features/firmware/images.tsx'], 190],
  ['jobs', ['src/features/jobs/jobs.tsx'], 190],
  ['profile', ['src/features/personal/profile.tsx'], 190],
  ['account security', ['src/features/personal/security.tsx'], 190],
  ['signed-in devices', ['src/features/personal/security.tsx', 'src/features/personal/sessions.tsx'], 190],
  ['API tokens', ['src/features/personal/security.tsx', 'src/features/personal/tokens.tsx'], 190],
  ['balance', ['src/features/billing/balance.tsx'], 190],
  ['personalization', ['src/features/personal/personalization.tsx'], 190],
  ['accounts, members', ['src/features/account/account.tsx'], 190],
  ['accounts, invitations', ['src/features/account/account.tsx', 'src/features/account/invitations.tsx'], 190],
  ['accounts, hosting', ['src/features/account/account.tsx', 'src/features/account/given.tsx'], 190],
  ['accounts, settings', ['src/features/account/account.tsx', 'src/features/account/settings.tsx'], 190],
  ['invitation', ['src/features/account/invitation.tsx'], 190],
  ['installation', ['src/features/installation/install.tsx'], 190],
  [
    'installation, mail and SMS',
    ['src/features/installation/install.tsx', 'src/features/installation/delivery-tab.tsx'],
    190,
  ],
  ['installation, accounts', ['src/features/installation/install.tsx', 'src/features/installation/accounts.tsx'], 190],
  ['operation log', ['src/features/logs/action-log.tsx'], 190],
  ['sign-in log', ['src/features/logs/auth-log.tsx'], 190],
  ['messages', ['src/features/messages/messages.tsx'], 190],
  ['message', ['src/features/messages/message.tsx'], 190],
];

test('signing in needs neither the layout, nor what draws QR codes, nor what speaks to passkeys', () => {
  const { js } = filesOf(['index.html', 'src/features/identity/login.tsx']);
  const late = ['src/app/shell/shell.tsx', 'src/features/identity/qr-form.tsx', 'src/app/passkey.ts'].map(
    (key) => manifest[key]?.file,
  );
  expect(late.every(Boolean)).toBe(true);
  expect(js.filter((file) => late.includes(file))).toEqual([]);
});

describe.each(['zh-cn', 'en'])('in %s', (language) => {
  test.each(screens)('%s', (_name, entries, budget) => {
    const { js, css } = filesOf([...around(entries[0] ?? '', language), ...entries]);
    expect(total(js)).toBeLessThanOrEqual(budget);
    expect(total(css)).toBeLessThanOrEqual(14);
  });

  test('the overview with all its texts', () => {
    const texts = ['fleet', 'statistics'].map((part) => `src/messages/${language}/${part}.ts`);
    const overview = 'src/features/statistics/overview.tsx';
    const { js } = filesOf([...around(overview, language), overview, ...texts]);
    expect(total(js)).toBeLessThanOrEqual(180);
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
    // Marks that typebox leaves on every schema and module, and the path parameters of the contract's endpoints.
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
