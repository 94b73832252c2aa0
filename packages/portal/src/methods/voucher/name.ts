export const voucherName = { 'zh-CN': '上网码', en: 'Voucher' } as const;
