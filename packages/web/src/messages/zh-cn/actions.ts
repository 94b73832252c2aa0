/** Names of operations in the log, beyond those that stand with their screens. */
export const actions = {
  'log_action.group.settings.save': '修改分组设置',
  'log_action.password.create': '新建动态密码',
  'log_action.password.update': '修改动态密码',
  'log_action.password.pause': '暂停或恢复动态密码',
  'log_action.password.rotate': '更换 Wi-Fi 密码',
  'log_action.password.delete': '删除动态密码',
  'log_action.password.reveal': '查看 Wi-Fi 密码',
  'log_action.template.create': '新建无线模板',
  'log_action.template.update': '修改无线模板',
  'log_action.template.copy': '复制无线模板',
  'log_action.template.delete': '删除无线模板',
  'log_action.template.apply': '下发无线模板',
  'log_action.template.take_off': '撤下无线模板',
  'log_action.template.retry': '重试下发模板',
  'log_action.template.resume': '继续下发模板',
  'log_action.template.rollback': '回滚模板下发',
} as const;
