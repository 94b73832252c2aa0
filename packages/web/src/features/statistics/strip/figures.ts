import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { bytes, count, money } from '../../../ui/format.ts';
import type { IconName } from '../../../ui/icon.tsx';

export type StripData = Data<'/api/v3/overview/strip'>;

export interface StripFigure {
  key: 'networks' | 'devices' | 'clients' | 'internet' | 'guests' | 'income' | 'alarms';
  icon: IconName;
  to: string;
  search?: Record<string, string>;
  value: string;
  /** Beside the value: the whole, or the unit. */
  of?: string | undefined;
  note: string;
  isBad?: boolean;
  change: number | null;
  unit?: '%';
  rise?: 'good' | 'bad';
  curve: readonly (number | null)[];
  fromLeast?: boolean;
  text: (value: number) => string;
  /** Why the curve has no values. */
  none: string;
  color: number;
}

/** Places in the palette. */
const [BLUE, ORANGE, GREEN, PURPLE] = [0, 1, 2, 3];

export function figuresOf({
  networks,
  devices,
  clients,
  internet,
  guests,
  income,
  alarms,
}: StripData): readonly StripFigure[] {
  const figures = [
    countedOf('networks', 'network', networks),
    countedOf('devices', 'server', devices),
    clients && clientsOf(clients),
    internet && internetOf(internet),
    guests && guestsOf(guests),
    income && incomeOf(income),
    alarms && alarmsOf(alarms),
  ];
  return figures.filter((figure) => figure !== null);
}

function countedOf(key: 'networks' | 'devices', icon: IconName, of: StripData['networks']): StripFigure {
  return {
    key,
    icon,
    to: '/networks',
    value: count(of.online),
    of: `/ ${count(of.total)}`,
    note: of.offline > 0 ? t('strip.offline', { n: of.offline }) : t('strip.online'),
    isBad: of.offline > 0,
    change: of.change,
    rise: 'good',
    curve: of.curve,
    fromLeast: true,
    text: count,
    none: t('strip.no_hour'),
    color: GREEN,
  };
}

function clientsOf({ now, today, change, curve }: NonNullable<StripData['clients']>): StripFigure {
  return {
    key: 'clients',
    icon: 'users',
    to: '/networks/online_users',
    value: count(now),
    note: t('home.today_online', { n: count(today) }),
    change,
    unit: '%',
    curve,
    text: count,
    none: t('strip.no_hour'),
    color: BLUE,
  };
}

function internetOf(of: NonNullable<StripData['internet']>): StripFigure {
  const { latency_ms: latency, loss_percent: loss } = of;
  const [value, unit] = of.bytes === null ? [] : bytes(of.bytes).split(' ');
  return {
    key: 'internet',
    icon: 'globe',
    to: '/flow_monitor',
    value: value ?? '—',
    of: unit,
    note:
      of.bytes === null
        ? t('home.no_report')
        : latency === null
          ? t('strip.day')
          : t('strip.line', { latency: Math.round(latency), loss: (loss ?? 0).toFixed(1) }),
    change: of.change,
    unit: '%',
    curve: of.curve,
    text: bytes,
    none: t('strip.no_hour'),
    color: BLUE,
  };
}

function guestsOf({ now, today, source, change, curve }: NonNullable<StripData['guests']>): StripFigure {
  return {
    key: 'guests',
    icon: 'wifi',
    to: '/networks/online_users',
    search: { auth: 'portal' },
    value: count(now),
    note: source === 'none' ? t('home.auth_source_none') : t('home.today_auth', { n: count(today) }),
    change,
    curve,
    text: count,
    none: source === 'none' ? '' : t('strip.no_sessions'),
    color: PURPLE,
  };
}

function incomeOf({ today, source, change, curve }: NonNullable<StripData['income']>): StripFigure {
  return {
    key: 'income',
    icon: 'wallet',
    to: '/billing/transactions',
    value: source === 'none' ? '—' : money(Number(today)),
    note: source === 'none' ? t('strip.no_payment') : t('home.income_note'),
    change,
    unit: '%',
    curve,
    text: money,
    none: '',
    color: GREEN,
  };
}

function alarmsOf({ by_level: levels, change, curve }: NonNullable<StripData['alarms']>): StripFigure {
  const total = levels.FATAL + levels.MIDDLE + levels.GENERAL;
  return {
    key: 'alarms',
    icon: 'alert',
    to: '/alarm',
    value: count(total),
    note: levels.FATAL > 0 ? t('strip.fatal', { n: levels.FATAL }) : t('strip.no_fatal'),
    isBad: levels.FATAL > 0,
    change,
    rise: 'bad',
    curve,
    text: count,
    none: t('strip.no_hour'),
    color: ORANGE,
  };
}
