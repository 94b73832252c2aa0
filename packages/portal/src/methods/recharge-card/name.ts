export const rechargeCardName = { 'zh-CN': '充值卡', en: 'Recharge card' } as const;
