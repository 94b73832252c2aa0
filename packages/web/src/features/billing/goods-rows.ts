import type { Row } from '../../app/api.ts';

export type GuestPackage = Row<'/api/v3/billing/package/list'>;
export type RechargeCard = Row<'/api/v3/recharge_card/list'>;
