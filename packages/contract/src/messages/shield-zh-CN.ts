export const shield = {
  'validation.https': '请输入以 https:// 开头的地址',
  'validation.domain': '“{value}”不是域名',
} as const;
