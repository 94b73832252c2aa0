import { methodText } from '../method-text.ts';

export const voucherText = methodText({
  'zh-CN': {
    name: '上网码',
    heading: '上网码',
    code: '上网码',
  },
  en: {
    name: 'Voucher',
    heading: 'Voucher',
    code: 'Voucher code',
  },
});
