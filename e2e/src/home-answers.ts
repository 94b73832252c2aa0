import type { Page } from 'playwright-core';

const day = (back: number): string => new Date(Date.UTC(2026, 10, 21 - back)).toISOString().slice(0, 10);
const as_of = '2026-11-21T08:00:00.000Z';
const named = <N extends string>(values: Record<N, number>) =>
  (Object.entries(values) as [N, number][]).map(([name, value]) => ({ name, value }));
const GB = 1024 ** 3;

export const answers = {
  complex: {
    as_of,
    router_number: 29,
    router_online_number: 23,
    ap_number: 311,
    ap_online_number: 307,
    current_auth: 1013,
    current_online: 2027,
    today_auth_amount: 3049,
    today_online_amount: 4051,
    auth_source: 'devices',
    alarm_level_amount: { FATAL: 7, MIDDLE: 13, GENERAL: 61 },
    alarm_messages: [
      { level: 'FATAL', message: 'Switch port 3 is down', time: as_of },
      { level: 'GENERAL', message: '<img src=x onerror=alert(1)>', time: as_of },
    ],
    cumulative_flow: {
      total: 3 * 1024 * GB,
      source: 'partial',
      from: day(6),
      items: named({ Video: 900 * GB, HTTP: 450 * GB, IM: 300 * GB, Game: 17 * GB }),
      measured: 1667 * GB,
      measured_since: `${day(6)}T00:00:00.000Z`,
    },
    income: '12840.50',
    income_source: 'complete',
    intercept_number: 1201,
    intercept_source: 'complete',
  },
  ap_complex: {
    as_of,
    ap_flow: {
      download: 311 * GB,
      upload: 47 * GB,
      online: 1733,
      online_5g: 2579,
      week_flow: 2 * 1024 * GB,
      flow_source: 'counters',
    },
    bands: [
      { name: '2.4G', online: 1733, download: 1, upload: 1 },
      { name: '5G', online: 2579, download: 1, upload: 1 },
      { name: '6G', online: 19, download: 1, upload: 1 },
    ],
    days: Array.from({ length: 7 }, (_, index) => ({
      date: day(6 - index),
      download: index === 2 ? null : (100 + index) * GB,
      upload: index === 2 ? null : (10 + index) * GB,
      gap: index === 2 ? 'no_report' : null,
    })),
  },
  flow_model: {
    as_of,
    from: day(29),
    app_source: 'complete',
    client_type_other: 41,
    client_type_unknown: 843,
    app_measured: 510 * GB,
    app_since: `${day(29)}T00:00:00.000Z`,
    stage: named({ '0~6': 41 * GB, '6~11': 221 * GB, '11~14': 313 * GB, '14~19': 487 * GB, '19~00': 761 * GB }),
    app_stage: ['0~4', '4~8', '8~12', '12~16', '16~20', '20~24'].map((name, index) => ({
      name,
      items: named({ Video: (50 + index) * GB, HTTP: (30 + index) * GB }),
    })),
    auth_type: named({ portal: 6211 }),
    auth_source: 'devices',
    client_type: named({ android: 4201, ios: 3109, mac: 421, windows: 983 }),
    app_times: named({ Video: 90_001, HTTP: 70_003, IM: 50_021 }),
  },
  user_model: {
    as_of,
    from: day(29),
    users: 9311,
    visits: 18_097,
    random_mac: 5101,
    user_label: named({ new: 3203, old: 6101 }),
    client_time_block: named({ '0~6': 401, '6~11': 2203, '11~14': 3119, '14~19': 4801, '19~00': 7603 }),
    user_time: named({ '<30': 4111, '>30': 2803, '1~2': 2111, '2~4': 1601, '>4': 907 }),
    terminal_type: named({ android: 4211, ios: 3121, mac: 431, windows: 991 }),
    terminal_brand: named({ Apple: 3001, Huawei: 2711 }),
    terminal_type_other: 0,
    terminal_type_unknown: 0,
    terminal_brand_other: 0,
    terminal_brand_unknown: 1907,
  },
};

const counts = (online: number, offline: number) => ({
  total: online + offline,
  online,
  offline,
  restarting: 0,
  never_connected: 0,
  unknown: 0,
});
const hours = (of: (place: number) => number | null, count = 25) =>
  Array.from({ length: count }, (_, place) => of(place));

export const gwidOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Agrees with the sums above. */
export const strip = {
  as_of,
  networks: { ...counts(23, 6), change: -2, curve: hours((place) => (place < 20 ? 25 : 23)) },
  devices: { ...counts(401, 9), change: 0, curve: hours(() => 401) },
  aps: counts(307, 4),
  clients: { now: 2027, today: 4051, change: 12.4, curve: hours((place) => (place === 7 ? null : 1500 + place)) },
  internet: {
    bytes: 431 * GB,
    latency_ms: 18.2,
    loss_percent: 0.1,
    change: -3.2,
    curve: hours((place) => place * GB, 24),
  },
  guests: { now: 1013, today: 3049, source: 'devices', change: null, curve: hours(() => null) },
  income: { today: '12840.50', source: 'complete', change: 8, curve: hours((place) => 100 * place, 14) },
  alarms: { by_level: { FATAL: 7, MIDDLE: 13, GENERAL: 61 }, change: 5, curve: hours((place) => 60 + place) },
};

const problem = (n: number) => ({
  alarm_id: gwidOf(900 + n),
  kind: 'gateway_offline',
  level: 'FATAL',
  serial: '02000000000a',
  part: '',
  name: `Router-${n}`,
  since: '2026-11-21T06:00:00.000Z',
  devices: 5,
  clients: 31,
});

/** Every seventh has a problem. Above 60, those only, and groups. */
export function tilesOf(networks: number) {
  const all = Array.from({ length: networks }, (_, n) => ({
    gwid: gwidOf(n),
    remark: `Shop-${n}`,
    status: n % 7 === 0 ? 'offline' : 'online',
    since: '2026-11-20T06:00:00.000Z',
    problem: n % 7 === 0 ? problem(n) : null,
    problems: n % 7 === 0 ? 2 : 0,
    clients: n % 7 === 0 ? null : n,
    clients_hit: n % 7 === 0 ? 31 : null,
    latency_ms: n % 7 === 0 || n % 7 === 1 ? null : 18.4,
    loss_percent: n % 7 === 0 || n % 7 === 1 ? null : 0.25,
    curve: hours((place) => (place === 5 ? null : place + n), 24),
  }));
  const troubled = all.filter((tile) => tile.problem !== null);
  const list = [...troubled, ...all.filter((tile) => tile.problem === null)];
  const groups = [
    { tag: 'hotel', networks: 300, online: 290, troubled: 10, clients: 3001 },
    { tag: null, networks: networks - 300, online: networks - 300, troubled: 0, clients: 70 },
  ];
  const isGrouped = networks > 60;
  return {
    as_of,
    from: '2026-11-20T08:00:00.000Z',
    total: networks,
    troubled: troubled.length,
    list: (isGrouped ? troubled : list).slice(0, 60),
    groups: isGrouped ? groups : [],
    groups_total: isGrouped ? 2 : 0,
  };
}

export const trend = (days: number) =>
  Array.from({ length: days }, (_, index) => {
    const back = days - 1 - index;
    const known = back !== 3;
    return {
      date: day(back),
      as_of,
      online_number: known ? 1000 + 3 * back : null,
      new_user_number: known ? 200 + back : null,
      old_user_number: known ? 800 + 2 * back : null,
      gap: known ? null : 'not_counted',
    };
  });

const ok = (data: unknown) => ({ json: { code: 2000, message: '', data } });

export async function answerHome(
  page: Page,
  other: Partial<Record<keyof typeof answers, unknown>> = {},
): Promise<void> {
  for (const [name, data] of Object.entries({ strip, tiles: tilesOf(3) }))
    await page.route(`**/api/v3/overview/${name}`, (route) => route.fulfill(ok(data)));
  for (const [name, data] of Object.entries({ ...answers, ...other })) {
    await page.route(`**/api/v3/user_stat/${name}`, (route) => route.fulfill(ok(data)));
  }
  await page.route('**/api/v3/user_stat/client_num', (route) =>
    route.fulfill(ok(trend(Number(route.request().postDataJSON().day)))),
  );
}

export async function answerNotice(page: Page, is_hidden: boolean, lt_32g_router_num = 4): Promise<void> {
  await page.route('**/api/v3/open/get_active_details', (route) =>
    route.fulfill(ok({ as_of, is_hidden, lt_32g_router_num, unknown_router_num: 2 })),
  );
}
