import { type Fleet, type PlannedDevice, plannedDevice, type SimulatedDevice } from '@yunxun/simulator';
import type { Owner } from '../accounts.ts';
import type { DemoShop } from '../world.ts';
import type { DemoWorld } from './story.ts';

export interface Site {
  shop: DemoShop;
  gwid: string;
  fleet: Fleet;
}

export function sitesOf({ fleets }: Pick<DemoWorld, 'fleets'>, { account, gwids }: Owner): Site[] {
  return account.shops.flatMap((shop) => {
    const [gwid, fleet] = [gwids.get(shop.name), fleets.get(shop.name)];
    return gwid !== undefined && fleet ? [{ shop, gwid, fleet }] : [];
  });
}

export type Role = SimulatedDevice['box']['hardware']['role'];

export const withRole = ({ fleet }: Site, ...roles: readonly Role[]): SimulatedDevice[] =>
  fleet.devices.filter(({ box }) => roles.includes(box.hardware.role));

export const localized = ({ account: { locale } }: Owner, text: { zh: string; en: string }): string =>
  locale === 'zh-CN' ? text.zh : text.en;

export const plannedOf = ({ devices }: Fleet): PlannedDevice[] => devices.map(({ box }) => plannedDevice(box));
