import { t } from '../app/i18n.ts';

interface Named {
  gwid: string;
  remark: string;
  device_num: number;
}

export function networkLabel({ gwid, remark, device_num: n }: Named, list: readonly Named[]): string {
  const alone = list.filter((other) => other.remark === remark).length < 2;
  return alone ? remark : t('pick.same_name', { name: remark, n, id: gwid.slice(-4) });
}
