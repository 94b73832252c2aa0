import { t } from '../app/i18n.ts';

interface Named {
  gwid: string;
  remark: string;
  device_num: number;
}

export const chosenName = (n: number, name?: string): string =>
  n === 1 && name !== undefined ? name : t('pick.count', { n });

export function networkLabel({ gwid, remark, device_num: n }: Named, list: readonly Named[]): string {
  const alone = list.filter((other) => other.remark === remark).length < 2;
  return alone ? remark : t('pick.same_name', { name: remark, n, id: gwid.slice(-4) });
}
