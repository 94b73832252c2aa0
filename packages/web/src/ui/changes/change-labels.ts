import { t, textOf } from '../../app/i18n.ts';
import { mac, minuteTime } from '../format.ts';
import type { Labels } from './changes.ts';

export function fieldName(path: readonly string[]): string {
  return path.map((step) => textOf(`log_field.${step}`) ?? step).join(' › ');
}

const wordLists: Readonly<Record<string, string>> = {
  role: 'role.',
  permissions: 'permission.',
  power: 'wireless.power_',
  security: 'wireless.security_',
  bands: 'wireless.band_',
  band: 'wireless.band_',
  addressing: 'gateway.addressing_',
  protocol: 'gateway.protocol_',
  kind: 'gateway.limit_kind_',
  weekdays: 'gateway.day_',
  tool: 'tools.name_',
  pattern: 'tools.pattern_',
  restarts: 'log_restarts.',
};

const namesDevices = /^(serial|mac)s?$/;
const namesNetworks = /^gwids?$/;

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

export const isBareMac = (text: string): boolean => /^[0-9a-f]{12}$/.test(text);

export function networksIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = Object.entries(value).flatMap(([name, each]) =>
    namesNetworks.test(name) ? [each].flat().filter((gwid) => typeof gwid === 'string') : networksIn(each),
  );
  return [...new Set(here)];
}

export function labelsWith(networks: ReadonlyMap<string, string>): Labels {
  const labels: Labels = (name, value) => {
    if (Array.isArray(value)) return value.map((each) => labels(name, each)).join(', ');
    if (typeof value === 'boolean') return value ? t('log.yes') : t('log.no');
    if (typeof value !== 'string') return JSON.stringify(value);
    if (namesNetworks.test(name)) return networks.get(value) ?? value;
    if (namesDevices.test(name) && isBareMac(value)) return mac(value);
    if (isTime.test(value)) return minuteTime(new Date(value));
    const list = wordLists[name];
    return (list && textOf(list + value)) ?? value;
  };
  return labels;
}
