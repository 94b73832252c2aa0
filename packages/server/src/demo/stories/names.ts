import type { PlaceKind } from '@yunxun/simulator';
import type { Owner } from '../accounts.ts';
import { localized, type Site, sitesOf, withRole } from './sites.ts';
import type { Story } from './story.ts';

interface Text {
  zh: string;
  en: string;
}

const placesOf: Readonly<Record<PlaceKind, readonly Text[]>> = {
  hotel: [
    { zh: '大堂', en: 'Lobby' },
    { zh: '前台', en: 'Front desk' },
    { zh: '餐厅', en: 'Restaurant' },
    { zh: '会议厅', en: 'Ballroom' },
    { zh: '二楼东', en: '2F east' },
    { zh: '二楼西', en: '2F west' },
    { zh: '三楼东', en: '3F east' },
    { zh: '三楼西', en: '3F west' },
    { zh: '花园', en: 'Garden' },
    { zh: '停车场', en: 'Car park' },
  ],
  office: [
    { zh: '接待区', en: 'Reception' },
    { zh: '会议室A', en: 'Meeting room A' },
    { zh: '会议室B', en: 'Meeting room B' },
    { zh: '研发区东', en: 'Engineering east' },
    { zh: '研发区西', en: 'Engineering west' },
    { zh: '市场部', en: 'Marketing' },
    { zh: '财务室', en: 'Finance' },
    { zh: '培训室', en: 'Training room' },
    { zh: '茶水间', en: 'Kitchen' },
    { zh: '露台', en: 'Terrace' },
  ],
  shop: [
    { zh: '收银台', en: 'Tills' },
    { zh: '入口', en: 'Entrance' },
    { zh: '卖场东', en: 'Floor east' },
    { zh: '卖场西', en: 'Floor west' },
    { zh: '仓库', en: 'Stockroom' },
    { zh: '办公室', en: 'Office' },
    { zh: '二楼', en: 'Upstairs' },
    { zh: '员工休息室', en: 'Staff room' },
  ],
};

const cabinets: readonly Text[] = [
  { zh: '弱电间', en: 'Comms room' },
  { zh: '二楼配线间', en: '2F cabinet' },
  { zh: '三楼配线间', en: '3F cabinet' },
  { zh: '监控机房', en: 'CCTV room' },
];

const tags: Readonly<Record<PlaceKind, Text>> = {
  hotel: { zh: '酒店', en: 'Hotel' },
  office: { zh: '办公', en: 'Office' },
  shop: { zh: '门店', en: 'Store' },
};

export const names: Story = {
  name: 'names',
  async tell(world) {
    for (const owner of world.owners)
      for (const site of sitesOf(world, owner)) {
        for (const [serial, remark] of namesOf(owner, site)) await owner.call('/api/v3/ap/update', { serial, remark });
        await owner.call('/api/v3/network/update', { gwid: site.gwid, tags: [localized(owner, tags[site.shop.kind])] });
      }
  },
};

function namesOf(owner: Owner, site: Site): [serial: string, name: string][] {
  const named = (
    devices: ReturnType<typeof withRole>,
    places: readonly Text[],
    nameOf: (place: string) => string,
  ): [string, string][] =>
    devices.map(({ serial }, index) => {
      const place = places[index % places.length]!;
      const again = index >= places.length ? ` ${Math.floor(index / places.length) + 1}` : '';
      return [serial, nameOf(localized(owner, place)) + again];
    });
  const suffixed = (suffix: Text) => (place: string) => place + localized(owner, suffix);
  return [
    ...withRole(site, 'gateway', 'edge').map(({ serial }): [string, string] => [
      serial,
      localized(owner, { zh: `${site.shop.name}网关`, en: `${site.shop.name} gateway` }),
    ]),
    ...named(withRole(site, 'switch'), cabinets, suffixed({ zh: '交换机', en: ' switch' })),
    ...named(withRole(site, 'access-point'), placesOf[site.shop.kind], suffixed({ zh: 'AP', en: ' AP' })),
  ];
}
