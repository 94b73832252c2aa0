import type * as source from './notices-zh-cn.ts';

/** Messages of alarm subscriptions. */
export const notices = {
  'notice.level_FATAL': 'Critical',
  'notice.level_MIDDLE': 'Major',
  'notice.level_GENERAL': 'Minor',
  'notice.opened': '[{level}] {what}',
  'notice.repeated': '[{level}] Not acknowledged yet: {what}',
  'notice.recovered': 'Recovered: {what}',
  'notice.silence_ended': '[{level}] The silence has ended, still active: {what}',
  'notice.plain_repeated': 'Not acknowledged yet: {what}',
  'notice.plain_recovered': 'Recovered: {what}',
  'notice.plain_silence_ended': 'The silence has ended, still active: {what}',
  'notice.open': 'Open the alarms',
  'notice.reason': 'You get this because the alarm subscription “{name}” names you.',
  'notice.since': 'Since {from}',
  'notice.lasted': 'From {from} to {to}',
  'notice.power_failed': 'The PoE of its switch port was restarted once; it did not come back within 5 minutes',
  'notice.power_cycled': 'The PoE of its switch port was restarted once',
  'notice.hit':
    'Without a connection: {devices, plural, one {# device} other {# devices}}, {clients, plural, one {# client} other {# clients}}',
  'notice.more': '{n, plural, one {# more alarm} other {# more alarms}}',
  'notice.many': '{n, plural, one {# alarm} other {# alarms}} in {account}',
  'notice.test_subject': 'Test message of an alarm subscription',
  'notice.test': 'This is a test of the subscription “{name}”. Alarms of {account} arrive here.',
} as const satisfies Readonly<Record<keyof typeof source.notices, string>>;
