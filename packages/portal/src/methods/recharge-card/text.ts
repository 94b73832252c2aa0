import { methodText } from '../method-text.ts';

export const rechargeCardText = methodText({
  'zh-CN': {
    name: '充值卡',
    heading: '充值卡',
    hint: '输入充值卡的卡密。',
    code: '卡密',
  },
  en: {
    name: 'Recharge card',
    heading: 'Recharge card',
    hint: 'With the code of a recharge card.',
    code: 'Card code',
  },
});
