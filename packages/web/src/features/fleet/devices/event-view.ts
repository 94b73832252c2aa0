import type { IconName } from '../../../ui/icon.tsx';
import type { Tone } from '../../../ui/status.tsx';

export interface EventView {
  icon: IconName;
  tone: Tone;
}

const looks: Readonly<Record<string, EventView>> = {
  'unit.boot-up': { icon: 'power', tone: 'info' },
  'unit.config-pending': { icon: 'clock', tone: 'none' },
  'unit.config-healed': { icon: 'check', tone: 'ok' },
  'unit.config-returned': { icon: 'undo', tone: 'warn' },
  'unit.upgrade-returned': { icon: 'undo', tone: 'bad' },
  'wired.carrier-up': { icon: 'link', tone: 'ok' },
  'wired.carrier-down': { icon: 'unlink', tone: 'warn' },
  'wifi.start': { icon: 'wifi', tone: 'ok' },
  'wifi.stop': { icon: 'wifi', tone: 'warn' },
  'dhcp.no-answer': { icon: 'unlink', tone: 'warn' },
  'dhcp.refused': { icon: 'unlink', tone: 'warn' },
  'dhcp.no-gateway': { icon: 'unlink', tone: 'warn' },
  'sdwan.path': { icon: 'share', tone: 'warn' },
  'device.reboot': { icon: 'power', tone: 'info' },
  'console.subnets-collide': { icon: 'alert', tone: 'bad' },
  'console.subnets-apart': { icon: 'check', tone: 'ok' },
  'console.replaced': { icon: 'refresh', tone: 'info' },
  'client.key-mismatch': { icon: 'key', tone: 'warn' },
  ssh: { icon: 'login', tone: 'info' },
  crashlog: { icon: 'alert', tone: 'bad' },
  recovery: { icon: 'alert', tone: 'bad' },
  alarm: { icon: 'bell', tone: 'bad' },
  rebootLog: { icon: 'file', tone: 'none' },
  log: { icon: 'file', tone: 'none' },
};
const other: EventView = { icon: 'activity', tone: 'none' };
/** Syslog severities up to "error". */
const worst = 3;

/** A health check is as bad as its health. */
export function eventView(type: string, payload: unknown): EventView {
  const reported = typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {};
  if (type === 'healthcheck') return { icon: 'activity', tone: reported.sanity === 100 ? 'ok' : 'warn' };
  if (type.startsWith('health.')) return { icon: 'alert', tone: 'warn' };
  if (type === 'log' && typeof reported.severity === 'number' && reported.severity <= worst)
    return { icon: 'file', tone: 'bad' };
  return looks[type] ?? other;
}
