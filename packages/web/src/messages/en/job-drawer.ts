import type { jobDrawer as source } from '../zh-cn/job-drawer.ts';

export const jobDrawer: Record<keyof typeof source, string> = {
  'jobs.latest': 'Latest jobs',
  'jobs.all': 'All jobs',
  'jobs.cancel_rest': 'Cancel what has not started',
  'jobs.by': 'Started by {who}',
  'jobs.on_device': 'on device',
  'jobs.waiting_hint':
    'Devices that are offline continue by themselves when they return; nothing more is needed from you.',
  'jobs.wave': 'Wave {n}: {done} of {devices, plural, one {# item} other {# items}} over',
  'jobs.plan':
    '{rest, plural, =0 {Waves start without a pause} one {# minute of rest after each wave} other {# minutes of rest after each wave}}{stop, plural, =100 {.} other {; stops when more than #% fail or become unhealthy.}}',
  'jobs.windows': 'Devices wait for the maintenance window of their network.',
  'jobs.next_wave': 'The next wave starts at {at} at the earliest.',
  'jobs.stopped_why': 'Stopped automatically: of {decided} devices done, {bad} failed and {unwell} are unhealthy.',
  'jobs.unwell': '{name}: {reason}.',
};
