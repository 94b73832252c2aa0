import type { Data, Input, Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { listed } from '../../ui/refusal.ts';
import type { Tone } from '../../ui/status.tsx';

export type Subscription = Data<'/api/v3/alarm_subscription/list'>['list'][number];
export type Saved = Input<'/api/v3/alarm_subscription/save'>;
export type Notice = Row<'/api/v3/alarm_notice/list'>;
export type EndpointType = Saved['endpoints'][number]['type'];

export const memberChannels = ['console', 'email', 'sms', 'web_push'] as const;
export const endpointTypes = ['webhook', 'wecom', 'dingtalk', 'feishu', 'slack'] as const;
/** Services whose robots can ask for a signature. */
export const signs = (type: EndpointType) => type === 'dingtalk' || type === 'feishu';

export const deliveryTones: Record<Notice['state'], Tone> = { waiting: 'info', sent: 'ok', failed: 'bad' };

export const refreshSubscriptions = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => /^\/api\/v3\/alarm_(subscription|notice)\//.test(String(queryKey[0])),
  });

export function whatText({ levels, kinds, scope }: Subscription): string {
  const { type, ids } = scope;
  return [
    listed(levels.map((level) => t(`alarm_level.${level}`))),
    kinds.length === 0 ? t('subscription.kinds_all') : t('subscription.kinds_n', { n: kinds.length }),
    ...(type === 'all' ? [] : [t(type === 'networks' ? 'pick.count' : 'subscription.groups_n', { n: ids.length })]),
  ].join(' · ');
}

export function recipientText({ members, member_channels, endpoints }: Subscription): string {
  const channels = [...(members.length > 0 ? member_channels : []), ...new Set(endpoints.map(({ type }) => type))];
  return [
    ...(members.length > 0 ? [t('subscription.members_n', { n: members.length })] : []),
    listed(channels.map((channel) => t(`subscription.channel_${channel}`))),
  ].join(' · ');
}

export function whenText({ schedule, quiet, digest_minutes: n }: Subscription): string {
  return [
    t(schedule.length === 0 ? 'subscription.always' : 'subscription.sometimes'),
    n === 0 ? t('subscription.at_once') : t('subscription.collected', { n }),
    ...(quiet === null ? [] : [t('subscription.quiet_short', { quiet })]),
  ].join(' · ');
}
