import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configuration, gateway, groupSettings, passwords, switches, templates, users } from '@yunxun/contract';
import { describe, expect, it } from 'vitest';
import { type Facts, readDocument } from '../../../../../edge/src/document/index.ts';
import { endpoints } from '../../../../test/endpoints.ts';
import type { ManagedDevice } from '../../fleet/index.ts';
import { checkGateway } from '../gateway-check.ts';
import { gatesOf } from '../gateway-facts.ts';
import { type DocumentPlatform, findSchemaErrors, schemaOf } from '../schema/check.ts';
import { published, strangers } from '../schema/testing/published.ts';
import { type Compiled, canonical, compile, maySend, withUuid } from './index.ts';
import { bandsOfDevice } from './radio-facts.ts';
import { type Feature, features } from './testing/features.ts';
import { documentLeaves, ownersOf, schemaLeaves } from './testing/leaves.ts';
import { nothingSet, sockets } from './testing/nothing-set.ts';

const columns = ['ap', 'switch', 'edge', 'olg'] as const satisfies readonly DocumentPlatform[];
const folder = fileURLToPath(new URL('./testing/fixtures/', import.meta.url));
const protocolPage = fileURLToPath(new URL('../../../../../../docs/protocol.md', import.meta.url));
/** Rewrites the fixtures; review before committing. */
const writes = process.env.WRITE_FIXTURES === '1';

const says = [
  configuration.wirelessSave,
  configuration.apOverrideSave,
  groupSettings.groupSettingsSave,
  switches.switchPortSave,
  gateway.gatewaySave,
  passwords.passwordCreate,
  users.block,
];
/** Body keys that identify the target. */
const names = new Set(['gwid', 'gwids[]', 'serial', 'group_id', 'version', 'name', 'elsewhere']);
const brings = [
  '/api/v3/ap/blink',
  '/api/v3/ap/reboot',
  '/api/v3/network/reboot',
  '/api/v3/device/refresh',
  '/api/v3/ac_password/rule/delete',
  '/api/v3/ac_password/rule/rotate',
  '/api/v3/ap/plan/apply',
  '/api/v3/ap/plan/scan',
  '/api/v3/cloud_backup/restore',
  '/api/v3/device/agent/upgrade',
  '/api/v3/device/config/retry',
  '/api/v3/network/tool/run',
  '/api/v3/firmware/restart/start',
  '/api/v3/firmware/upgrade/start',
  '/api/v3/user_online/allow',
  '/api/v3/user_online/kick',
  '/api/v3/user_online/unblock',
  '/api/v3/switch/port/cycle',
  '/api/v3/network/wireless/revert',
  '/api/v3/ap/group/settings/revert',
  ...[
    'network/update',
    'network/deploy',
    'network/delete',
    'member/add',
    'member/remove',
    'path_test',
    'throughput',
  ].map((act) => `/api/v3/sdwan/${act}`),
  ...['group/create', 'group/update', 'link_strategy/update'].map((act) => `/api/v3/sdwan/${act}`),
  ...['scan', 'wake', 'snapshot'].map((act) => `/api/v3/peripheral/${act}`),
  ...['setting/save', 'allowlist/create', 'allowlist/update', 'allowlist/delete', 'own/save'].map(
    (act) => `/api/v3/cloud_security/${act}`,
  ),
  '/api/v3/remote/link/open',
  '/api/v3/remote/open',
  '/api/v3/plugin/install',
  '/api/v3/plugin/remove',
  ...['apply', 'change/resume', 'change/retry', 'rollback'].map((act) => `/api/v3/wireless_template/${act}`),
];

const settings = [
  ...new Set(says.flatMap(({ body }) => schemaLeaves(body).filter((path) => !names.has(path)))),
].toSorted();
const settingClaims = features.flatMap((owner) => owner.settings.map((path) => ({ owner, path })));
const pathClaims = features.flatMap((owner) => owner.paths.map((path) => ({ owner, path })));

/** SD-WAN, shield and portal have compilers and tests of their own (test/conformance, portal/edge.test.ts). */
const leavesOf = (column: DocumentPlatform) =>
  schemaLeaves(schemaOf(column)).filter((path) => !/^third-party\.yunxun\.(sdwan\[|shield\.|captive\.)/.test(path));
const ownLeaves = (column: DocumentPlatform, feature: Feature) =>
  leavesOf(column).filter((path) => ownersOf(path, pathClaims)[0] === feature);

const plain = (column: DocumentPlatform) => compile(nothingSet(column));
const whole = (column: DocumentPlatform, { set }: Feature) =>
  set ? compile(set(nothingSet(column), column)) : plain(column);
const isSame = (a: Compiled, b: Compiled) => canonical(a.document) === canonical(b.document);

function whyNot(column: DocumentPlatform, feature: Feature): string[] {
  const { device } = nothingSet(column);
  const mine = settings.filter((path) => ownersOf(path, settingClaims)[0] === feature);
  const left = whole(column, feature).findings.flatMap(({ severity, code }) => (severity === 'left_out' ? [code] : []));
  const gates = mine.some((path) => path.startsWith('settings.')) ? gatesOf(device as unknown as ManagedDevice) : [];
  const bands = mine.some((path) => path.startsWith('radios')) && bandsOfDevice(device.capabilities).size === 0;
  return [...new Set([...left, ...gates, ...(bands ? ['no_radio'] : [])])].toSorted();
}

function offered(column: DocumentPlatform, feature: Feature): 'set' | 'always' | null {
  if (feature.set && !isSame(whole(column, feature), plain(column))) return 'set';
  return ownLeaves(column, feature).length > 0 ? 'always' : null;
}

const cells = columns.flatMap((column) => features.map((feature) => ({ column, feature, name: feature.name })));
const fixtures = cells.filter(({ column, feature }) => offered(column, feature) !== null);
const fileOf = (column: DocumentPlatform, file: string) => `${folder}${column}/${file}.json`;
const facts: Facts = {
  ports: Object.fromEntries(Object.entries(sockets).map(([socket, [device]]) => [socket, device!])),
  abilities: { vlan: true, shaping: true, ifb: true, fqCodel: true, dhcpClient: true, dnsmasq: true },
  folders: { run: '/run/yunxun-edge', state: '/var/lib/yunxun-edge' },
};

describe('what the console offers', () => {
  it('is settings of these endpoints, and every other one that reaches devices says nothing new', () => {
    const reaching = endpoints.filter(({ effect }) => effect === 'device').map(({ path }) => path);
    expect(reaching.toSorted()).toEqual([...says.map(({ path }) => path), ...brings].toSorted());
    for (const { body } of [templates.templateCreate, templates.templateUpdate])
      expect(schemaLeaves(body).filter((path) => !settings.includes(path) && !names.has(path))).toEqual(
        body === templates.templateCreate.body ? ['kind'] : ['id'],
      );
  });

  it('belongs to one feature each: a new setting wants its row, and a row that is gone is noticed', () => {
    expect(settings.length).toBeGreaterThan(60);
    expect(settings.filter((path) => ownersOf(path, settingClaims).length !== 1)).toEqual([]);
    const used = new Set(settings.flatMap((path) => ownersOf(path, settingClaims)));
    expect(features.filter((feature) => feature.settings.length > 0 && !used.has(feature))).toEqual([]);
  });

  it('has somewhere to go, and can be set there', () => {
    const nowhere = features.filter(
      (feature) => feature.settings.length > 0 && !columns.some((column) => offered(column, feature) === 'set'),
    );
    expect(nowhere.map(({ name }) => name)).toEqual([]);
  });

  it('has a row for every feature of the protocol', () => {
    const text = readFileSync(protocolPage, 'utf8');
    const section = text.slice(text.indexOf('\n## Configuration by feature\n')).split('\n## ')[1]!;
    const rows = [...section.matchAll(/^\| ([^|]+?) \|/gm)].map(([, name]) => name!).slice(1);
    expect(features.flatMap(({ name, own }) => (own ? [] : [name]))).toEqual(rows);
  });
});

describe('what documents may say', () => {
  it.each(columns)('%s: belongs to one feature each', (column) => {
    expect(leavesOf(column).filter((path) => ownersOf(path, pathClaims).length !== 1)).toEqual([]);
  });

  it.each(columns)('%s: the fixtures contain every path of it', (column) => {
    const reported = new Set(
      fixtures
        .filter((cell) => cell.column === column)
        .flatMap(({ feature }) => documentLeaves(JSON.parse(readFileSync(fileOf(column, feature.file), 'utf8')))),
    );
    expect(leavesOf(column).filter((path) => !reported.has(path))).toEqual([]);
  });
});

describe.each(columns)('%s', (column) => {
  const own = fixtures.filter((cell) => cell.column === column);

  it.each(own)('$name: the document is the one kept here', ({ feature }) => {
    const compiled = offered(column, feature) === 'set' ? whole(column, feature) : plain(column);
    // switches get the VLANs of SSIDs and a finding for the rest
    const besides = column === 'switch' ? ['not_wireless'] : [];
    expect(compiled.findings.map(({ code }) => code).filter((code) => !besides.includes(code))).toEqual([]);
    expect(maySend(compiled)).toBe(true);
    const document = withUuid(compiled.document, 1_700_000_000);
    const file = fileOf(column, feature.file);
    if (writes) {
      mkdirSync(`${folder}${column}`, { recursive: true });
      writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
    }
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(document);
  });

  it.each(own)('$name: it passes the schemas, and is about the feature', ({ feature }) => {
    const document = JSON.parse(readFileSync(fileOf(column, feature.file), 'utf8'));
    expect(findSchemaErrors(document, column)).toEqual([]);
    if (column === 'edge') expect(readDocument(document, facts)).toMatchObject({ rejected: [] });
    else expect(strangers(document, published[column])).toEqual([]);
    const set = feature.set?.(nothingSet(column), column);
    if (set?.gateway) checkGateway(set.gateway);
    const mine = ownLeaves(column, feature);
    const leaves = documentLeaves(document);
    if (mine.length > 0) expect(mine.filter((path) => leaves.includes(path))).not.toEqual([]);
  });

  it('reports settings that are not offered, and changes nothing', () => {
    const silent = features.filter(
      (feature) => feature.set && offered(column, feature) === null && whyNot(column, feature).length === 0,
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('has no fixture of settings that are not offered', () => {
    expect(readdirSync(`${folder}${column}`).toSorted()).toEqual(
      own.map(({ feature }) => `${feature.file}.json`).toSorted(),
    );
  });
});

it('the table of it has no empty cell, and is the one kept here', () => {
  const cell = (column: DocumentPlatform, feature: Feature) => {
    const how = offered(column, feature);
    if (how !== null) return `[${how === 'set' ? 'can be set' : 'always sent'}](${column}/${feature.file}.json)`;
    const why = whyNot(column, feature).map((code) => `\`${code}\``);
    return ['not offered', ...(why.length > 0 ? [why.join(', ')] : [])].join(': ');
  };
  const rows = features.map((feature) => [feature.name, ...columns.map((column) => cell(column, feature))]);
  expect(rows.flat().every((text) => text.length > 0)).toBe(true);
  const table = `# Features by kind of device

Written by \`features.test.ts\` from what the console offers. A link leads to the document that a device of the kind is sent; a word in \`code\` is what the console says instead.

| Feature | Access point | Switch | Gateway on our agent | Gateway on OpenLAN firmware |
|---|---|---|---|---|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;
  if (writes) writeFileSync(`${folder}README.md`, table);
  expect(readFileSync(`${folder}README.md`, 'utf8')).toBe(table);
});
