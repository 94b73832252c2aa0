export const purchaseName = { 'zh-CN': '购买套餐', en: 'Buy a package' } as const;
