import type { Row } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { paymentName } from '../../../app/payment-name.ts';
import { queryClient } from '../../../app/session.ts';
import type { Filter } from '../../../ui/table/columns.ts';

export const paths = {
  overview: '/api/v3/install/clearing/overview',
  payouts: '/api/v3/install/clearing/payout/list',
  arrivals: '/api/v3/install/clearing/arrival/list',
  movements: '/api/v3/install/clearing/movement/list',
  lines: '/api/v3/install/clearing/line/list',
} as const;

export type Payout = Row<(typeof paths)['payouts']>;
export type Arrival = Row<(typeof paths)['arrivals']>;
export type Movement = Row<(typeof paths)['movements']>;
export type Line = Row<(typeof paths)['lines']>;
export type Provider = Payout['provider'];

export const statementProviders = ['wechat', 'alipay', 'stripe'] as const;
export const providers: readonly Provider[] = [...statementProviders, 'sandbox'];

export const placeName = (place: Movement['provider'] | null): string =>
  place === null ? t('clearing.own') : place === 'bank' ? t('clearing.bank') : paymentName(place);

export function providerFilter(more: readonly Movement['provider'][] = []): Filter {
  const options = [...providers, ...more].map((value) => ({ value, label: placeName(value) }));
  return { name: 'provider', label: t('clearing.provider'), options };
}

export async function refreshClearing(): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => /\/install\/clearing\//.test(`${queryKey[0]}`) });
}
