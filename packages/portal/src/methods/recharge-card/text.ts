import { methodText } from '../method-text.ts';

export const rechargeCardText = methodText({
  'zh-CN': {
    heading: '充值卡',
    hint: '输入充值卡的卡密。',
    code: '卡密',
  },
  en: {
    heading: 'Recharge card',
    hint: 'With the code of a recharge card.',
    code: 'Card code',
  },
});
