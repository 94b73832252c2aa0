import type { Row } from '../../app/api.ts';
import type { IconName } from '../../ui/icon.tsx';

export type Hit = Row<'/api/v3/search/query'>;
export type HitKind = Hit['kind'];

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** An address inside the console. */
export interface Target {
  to: string;
  search?: Record<string, string>;
}

export const hitIcons: Record<HitKind, IconName> = {
  network: 'network',
  device: 'server',
  client: 'phone',
  guest: 'user',
  ssid: 'wifi',
  template: 'layers',
  sdwan: 'link',
  person: 'user',
  job: 'tasks',
  peripheral: 'printer',
  alarm: 'bell',
  log: 'list',
};

/** Null for a job, which has a drawer. */
export function targetOf({ kind, id, title, gwid, type, status }: Hit): Target | null {
  switch (kind) {
    case 'network':
      return { to: `/network/${id}` };
    case 'device':
      if (!gwid) return { to: '/waiting_devices', search: { keyword: id } };
      if (type === 'ap') return { to: `/network/aps/${gwid}`, search: { device: id } };
      return { to: `/network/${gwid}`, search: { tab: 'devices', device: id } };
    case 'client':
      // a client that has left is in the list of all clients ever seen
      return { to: '/networks/online_users', search: { ...(status === 'online' ? {} : { tab: 'history' }), user: id } };
    case 'guest':
      return { to: `/auth/${gwid}`, search: { tab: 'sessions', keyword: title } };
    case 'ssid':
      return gwid
        ? { to: `/network/${gwid}`, search: { tab: 'wireless' } }
        : { to: '/networks/online_users', search: { ssid: id } };
    case 'template':
      return { to: `/config/template_wireless/${type === 'ac' ? 'ac' : 'wireless'}_edit/${id}` };
    case 'sdwan':
      return { to: '/sdwan/show', search: { id } };
    case 'person':
      return { to: '/account', search: { tab: 'members' } };
    case 'peripheral':
      return { to: `/device/index/${gwid}`, search: { keyword: title } };
    case 'alarm':
      return { to: '/alarm', search: { alarm: id } };
    case 'log':
      return { to: '/logs/action', search: { entry: id } };
    case 'job':
      return null;
  }
}

/** A MAC matches in any notation. */
export function markedParts(text: string, word: string): { text: string; marked: boolean }[] {
  const digits = word.replace(/[:.-]/g, '');
  const pattern = /^[0-9a-f]{2,12}$/i.test(digits)
    ? [...digits].join('[:.-]?')
    : word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  if (word.trim() === '') return [{ text, marked: false }];
  return text
    .split(new RegExp(`(${pattern})`, 'i'))
    .map((part, index) => ({ text: part, marked: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}
