import type { FleetOptions, PlaceKind } from '@yunxun/simulator';

export interface DemoShop {
  name: string;
  at: readonly [lat: number, lng: number];
  kind: PlaceKind;
  edge?: true;
  /** Its access points let guests sign in. */
  gates?: true;
  leastShare?: number;
  aps: number;
  switches: number;
  models: NonNullable<FleetOptions['models']>;
  peoplePerAp: number;
  ssids: readonly [staff: string, guest: string];
}

export interface DemoAccount {
  locale: 'zh-CN' | 'en';
  email: string;
  name: string;
  shops: readonly DemoShop[];
}

const openAllNight = 0.5;

/** 120 devices: a gateway in each shop, 22 switches, 88 access points. */
export const accounts: readonly DemoAccount[] = [
  {
    locale: 'zh-CN',
    email: 'zh@demo.example',
    name: '西湖酒店集团',
    shops: [
      {
        name: '西湖酒店',
        at: [30.259, 120.148],
        kind: 'hotel',
        edge: true,
        aps: 10,
        switches: 4,
        models: ['AX3000', 'AX1800'],
        peoplePerAp: 6,
        ssids: ['西湖酒店-办公', '西湖酒店'],
      },
      {
        name: '灵隐民宿',
        at: [30.2405, 120.1005],
        kind: 'hotel',
        edge: true,
        aps: 10,
        switches: 3,
        models: ['AX1800'],
        peoplePerAp: 5,
        ssids: ['灵隐民宿-前台', '灵隐民宿'],
      },
      {
        name: '未来科技城办公室',
        at: [30.287, 120.018],
        kind: 'office',
        edge: true,
        aps: 10,
        switches: 2,
        models: ['AXE5400', 'AX3000'],
        peoplePerAp: 7,
        ssids: ['未来办公', '未来访客'],
      },
      {
        name: '滨江超市',
        at: [30.2084, 120.212],
        kind: 'shop',
        gates: true,
        leastShare: openAllNight,
        aps: 8,
        switches: 1,
        models: ['AX3000'],
        peoplePerAp: 6,
        ssids: ['滨江超市-收银', '滨江超市'],
      },
      {
        name: '河坊街茶楼',
        at: [30.241, 120.169],
        kind: 'shop',
        aps: 6,
        switches: 1,
        models: ['AX1800'],
        peoplePerAp: 6,
        ssids: ['茶楼-收银', '河坊街茶楼'],
      },
    ],
  },
  {
    locale: 'en',
    email: 'en@demo.example',
    name: 'Harbour Hotels',
    shops: [
      {
        name: 'Harbour Hotel',
        at: [-33.861, 151.211],
        kind: 'hotel',
        edge: true,
        aps: 10,
        switches: 4,
        models: ['AX3000', 'AX1800'],
        peoplePerAp: 6,
        ssids: ['Harbour Staff', 'Harbour Guest'],
      },
      {
        name: 'Manly Beach Lodge',
        at: [-33.797, 151.288],
        kind: 'hotel',
        edge: true,
        aps: 10,
        switches: 3,
        models: ['AX1800'],
        peoplePerAp: 5,
        ssids: ['Lodge Desk', 'Manly Beach Lodge'],
      },
      {
        name: 'Collins Street Office',
        at: [-37.814, 144.963],
        kind: 'office',
        edge: true,
        aps: 10,
        switches: 2,
        models: ['AXE5400', 'AX3000'],
        peoplePerAp: 7,
        ssids: ['Office', 'Office Guest'],
      },
      {
        name: 'Market Street Store',
        at: [-33.871, 151.2067],
        kind: 'shop',
        gates: true,
        leastShare: openAllNight,
        aps: 8,
        switches: 1,
        models: ['AX3000'],
        peoplePerAp: 6,
        ssids: ['Market Till', 'Market Free WiFi'],
      },
      {
        name: 'Laneway Café',
        at: [-37.8166, 144.9645],
        kind: 'shop',
        aps: 6,
        switches: 1,
        models: ['AX1800'],
        peoplePerAp: 6,
        ssids: ['Cafe Till', 'Laneway Cafe'],
      },
    ],
  },
];
