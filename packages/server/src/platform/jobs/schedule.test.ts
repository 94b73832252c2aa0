import { parseCrontab } from 'graphile-worker';
import { expect, it } from 'vitest';
import { crontabLine } from './index.ts';

it('runs an exclusive task one at a time, with at most one that waits', () => {
  const [item] = parseCrontab(crontabLine({ task: 'alarms-evaluate', cron: '* * * * *', exclusive: true }));
  expect(item).toMatchObject({
    task: 'alarms-evaluate',
    options: { queueName: 'alarms-evaluate', jobKey: 'alarms-evaluate', jobKeyMode: 'replace' },
  });
});

it('queues a task once for all minutes that a clock leaps over', () => {
  const [item] = parseCrontab(crontabLine({ task: 'billing-expiry', cron: '* * * * *' }));
  expect(item).toMatchObject({ options: { jobKey: 'billing-expiry', jobKeyMode: 'replace' } });
});
