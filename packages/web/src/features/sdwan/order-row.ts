import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { money } from '../../ui/format.ts';

export type SdwanOrder = Row<'/api/v3/sdwan/order/list'>;

/** @param fen 1/100 yuan */
export const priceText = (fen: number): string => (fen === 0 ? t('sdwan.free') : money(fen / 100));
