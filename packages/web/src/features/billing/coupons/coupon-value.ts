import type { Row } from '../../../app/api.ts';
import { money } from '../../../ui/format.ts';

type Discount = Pick<Row<'/api/v3/billing/coupon/list'>, 'kind' | 'amount' | 'percent'>;

export const couponValue = ({ kind, amount, percent }: Discount): string =>
  kind === 'amount' ? money(Number(amount)) : `${percent}%`;
