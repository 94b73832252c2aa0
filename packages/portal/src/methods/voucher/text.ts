import { methodText } from '../method-text.ts';

export const voucherText = methodText({
  'zh-CN': {
    heading: '上网码',
    hint: '输入前台提供的上网码。',
    code: '上网码',
  },
  en: {
    heading: 'Voucher',
    hint: 'With a code that the reception gives you.',
    code: 'Voucher code',
  },
});
