import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';
import { answers as answersTo } from './screens-sign-in.ts';

const id = '01a1f97f-0000-7000-8000-00000000d001';
const until = '2027-11-21T10:00:00Z';
const at = '2026-11-21T10:00:00Z';
const names = ['Head-office', 'Backup-hall', '<b>Shop</b>'];
const keys = names.map((_name, index) => `01a1f97f-0000-7000-8000-00000000e00${index}`);
const lan = (index: number) => ({ prefix: `10.7.${index}.0/24` });

const network = {
  id,
  name: 'Branches',
  type: 2,
  mode: 'transit',
  status: 'degraded',
  centres: names.slice(0, 2),
  nodes: 3,
  online: 3,
  tunnels: 6,
  tunnels_up: 4,
  widthband: 30,
  foreign_widthband: 0,
  route_count: 3,
  strategy_id: null,
  valid_until: until,
  created_at: at,
  deployed_at: at,
};
const nodes = keys.map((key, index) => ({
  key,
  name: names[index],
  role: ['main', 'bak', ''][index],
  pid: '',
  position: 1,
  widthband: 10,
  foreign_widthband: 0,
  host: index < 2 ? `hub-${index}.example.net` : null,
  group_id: null,
  lans: [lan(index)],
  type: 2,
  is_used: true,
  level: index < 2 ? 1 : 2,
  serial: `53494d00000${index}`,
  online: true,
  status: index === 1 ? 'degraded' : 'running',
  address: `100.64.0.${index + 1}`,
  endpoint: index < 2 ? `hub-${index}.example.net` : null,
  tunnels: 2,
  tunnels_up: index === 1 ? 1 : 2,
  error: null,
  reported_at: at,
  measures: index !== 2,
  detours: index === 2 ? 1 : 0,
  path_changed_at: index === 2 ? at : null,
}));
const link = (from: number, to: number, kind: string, isUp: boolean) => ({
  from: keys[from],
  to: keys[to],
  kind,
  state: isUp ? 'up' : 'down',
  handshake_at: at,
  latency_ms: isUp ? 12.4 : null,
  loss_pct: isUp ? 0 : 100,
  rx_bytes: 81_000,
  tx_bytes: 92_000,
  routes: isUp ? 2 : 0,
  detours: kind === 'bak' && isUp ? 1 : 0,
});
const links = [link(1, 0, 'hubs', true), link(2, 0, 'main', true), link(2, 1, 'bak', false)];
const routes = keys.map((key, index) => ({ ...lan(index), mapped_from: null, key }));
const matrix = { keys, rows: ['111', '111', '111'] };
const overlap = { name: names[2]!, prefix: '10.7.0.0/24', other: names[0]!, other_prefix: '10.7.0.0/24' };
const errors = [{ code: 'overlap', key: keys[2], field: 'lans.0.prefix', params: overlap }];

const page = (list: object[]) => ({ list, total: list.length });
const answers: Readonly<Record<string, object>> = {
  status: {
    opened: true,
    trial: false,
    trial_used: true,
    package_id: 'standard',
    node_limit: 50,
    node_used: 3,
    widthband: 1000,
    widthband_used: 30,
    foreign_widthband: 500,
    foreign_widthband_used: 0,
    expire_at: until,
    closes_at: until,
    networks: 1,
  },
  'network/list': page([network]),
  'network/detail': { network, nodes, links, routes, matrix, errors: [], stale: [], job_id: null },
  'path_change/list': page([{ at, key: keys[2], from: keys[1], to: keys[0], prefixes: ['10.7.1.0/24'] }]),
  'candidate/list': page(
    keys.map((key, index) => ({
      key,
      name: names[index],
      serial: `53494d00000${index}`,
      online: true,
      model: 'Box',
      version: '3.4.1',
      public_ip: index === 0 ? '198.51.100.1' : null,
      lans: [lan(0)],
      is_used: false,
      networks: [],
      reason: index === 1 ? 'version' : null,
    })),
  ),
  check: {
    errors,
    suggestions: [{ key: keys[2], prefix: '10.7.0.0/24', as: '10.128.0.0/24' }],
    matrix: null,
    links: [],
    routes: [],
    changes: [],
  },
};

const gone = { name: names[1]!, prefix: '10.7.1.0/24' };
const dialled = { name: names[0]!, prefix: '10.7.2.0/24', address: '10.7.2.9' };
const findings = [
  { code: 'lan_gone', key: keys[1], field: 'lans.0.prefix', params: gone },
  { code: 'host_overlap', key: keys[2], field: 'lans.0.prefix', params: dialled },
];
const tested = {
  done: true,
  tunnel: 'ok',
  route: 'ok',
  firewall: 'ok',
  host: 'failed',
  path: [keys[2], keys[0]],
  failed_at: keys[0],
  rtt_ms: null,
  loss_pct: 100,
  reason: 'sdwan.test_no_host',
};

async function answer(on: Page): Promise<void> {
  await on.route('**/api/v3/sdwan/**', (route) => {
    const data = answers[new URL(route.request().url()).pathname.replace('/api/v3/sdwan/', '')];
    return data ? route.fulfill({ json: { code: 2000, message: '', data } }) : route.fallback();
  });
}

const of = (path: string) => async (on: Page, stage: Stage) => {
  await answer(on);
  await on.goto(`${stage.url}/sdwan/${path}`);
  await on.getByText(network.name, { exact: true }).first().waitFor();
};

const plain =
  (path: string) =>
  (on: Page, { url }: Stage) =>
    on.goto(`${url}/sdwan/${path}`);

export const sdwanScreens: readonly BuiltScreen[] = [
  { name: 'sdwan-none', as: 'newPerson', open: plain('index') },
  { name: 'sdwan-no-gateway', as: 'newPerson', open: plain('create') },
  { name: 'sdwan-package', as: 'newPerson', open: plain('package') },
  { name: 'sdwan-order', as: 'newPerson', open: plain('order') },
  { name: 'sdwan-group', as: 'newPerson', open: plain('group') },
  { name: 'sdwan-choose', as: 'newPerson', open: plain('manage') },
  {
    name: 'sdwan-strategy',
    as: 'owner',
    async open(on, { t, url }) {
      await on.goto(`${url}/sdwan/link_strategy`);
      await on
        .getByRole('button', { name: t('sdwan.strategy_create'), exact: true })
        .first()
        .click();
      await on.getByRole('dialog').waitFor();
    },
  },
  { name: 'sdwan-networks', as: 'owner', answered: true, open: of('index') },
  { name: 'sdwan-show', as: 'owner', answered: true, open: of(`show?id=${id}`) },
  { name: 'sdwan-show-links', as: 'owner', answered: true, open: of(`show?id=${id}&tab=links`) },
  { name: 'sdwan-show-routes', as: 'owner', answered: true, open: of(`show?id=${id}&tab=routes`) },
  { name: 'sdwan-show-matrix', page: true, as: 'owner', answered: true, open: of(`show?id=${id}&tab=matrix`) },
  { name: 'sdwan-show-test', as: 'owner', answered: true, open: of(`show?id=${id}&tab=test`) },
  {
    name: 'sdwan-show-findings',
    as: 'owner',
    answered: true,
    async open(on, stage) {
      await answer(on);
      const data = { ...answers['network/detail'], errors: findings, stale: [keys[1]] };
      await answersTo(on, 'sdwan/network/detail', 2000, data);
      await on.goto(`${stage.url}/sdwan/show?id=${id}`);
      await on.getByText(stage.t('sdwan.now_wrong')).waitFor();
    },
  },
  {
    name: 'sdwan-tested',
    as: 'owner',
    answered: true,
    async open(on, stage) {
      await of(`show?id=${id}&tab=test`)(on, stage);
      await answersTo(on, 'sdwan/path_test', 2000, { run_id: id, job_id: id });
      await answersTo(on, 'sdwan/path_test/result', 2000, tested);
      await on.getByLabel(stage.t('sdwan.test_target')).fill('10.7.0.77');
      await on.getByRole('button', { name: stage.t('sdwan.test_start'), exact: true }).click();
      await on.getByText(stage.t('sdwan.test_no_host')).waitFor();
    },
  },
  {
    name: 'sdwan-throughput',
    as: 'owner',
    answered: true,
    async open(on, stage) {
      await of(`show?id=${id}&tab=test`)(on, stage);
      const way = { retransmits: 12, loss_pct: null, jitter_ms: null };
      const throughput = { up: { mbps: 48.21, ...way }, down: { mbps: 93.7, ...way, retransmits: 0 } };
      await answersTo(on, 'sdwan/throughput', 2000, { run_id: id, job_id: id });
      await answersTo(on, 'network/tool/detail', 2000, { state: 'done', reason: null, throughput });
      await on.getByRole('button', { name: stage.t('sdwan.throughput_start'), exact: true }).click();
      await on.getByText('48.21 Mbit/s', { exact: false }).waitFor();
    },
  },
  { name: 'sdwan-manage', as: 'owner', answered: true, open: of(`manage?id=${id}`) },
  {
    name: 'sdwan-manage-type',
    as: 'owner',
    answered: true,
    async open(on, stage) {
      await of(`manage?id=${id}`)(on, stage);
      await on.getByText(stage.t('sdwan.type_1'), { exact: true }).click();
      await on.getByText(stage.t('sdwan.mode_peer')).waitFor();
    },
  },
  {
    name: 'sdwan-create-overlap',
    as: 'owner',
    answered: true,
    async open(on, { t, url }) {
      await answer(on);
      await on.goto(`${url}/sdwan/create`);
      await on.getByRole('button', { name: t('sdwan.next'), exact: true }).click();
      for (const name of [names[0]!, names[2]!]) await on.getByRole('checkbox', { name, exact: true }).check();
      await on.getByRole('button', { name: t('sdwan.next'), exact: true }).click();
      await on.getByRole('button', { name: t('sdwan.map_all'), exact: true }).waitFor();
    },
  },
];
