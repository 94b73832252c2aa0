export const shield = {
  'validation.fullHost': '请填写该服务的完整域名，例如 chat.example.com',
  'validation.https': '请输入以 https:// 开头的地址',
  'validation.domain': '“{value}”不是域名',
} as const;
