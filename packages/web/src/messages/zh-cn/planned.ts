export const planned = {
  'planned.audit': '按用户、MAC、IP、域名与时间查询上网行为记录，注明保存期限；每次导出都会记入日志。',
} as const;
