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
