import { methodText } from '../method-text.ts';

export const rechargeCardText = methodText({
  'zh-CN': {
    name: '充值卡',
    heading: '充值卡',
    code: '卡密',
  },
  en: {
    name: 'Recharge card',
    heading: 'Recharge card',
    code: 'Card code',
  },
});
