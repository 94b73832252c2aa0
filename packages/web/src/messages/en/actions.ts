import type { actions as source } from '../zh-cn/actions.ts';

type Same<T> = Readonly<Record<keyof T, string>>;

export const actions: Same<typeof source> = {
  'log_action.group.settings.save': 'Change group settings',
  'log_action.password.create': 'Create password rule',
  'log_action.password.update': 'Change password rule',
  'log_action.password.pause': 'Pause or resume password rule',
  'log_action.password.rotate': 'Change Wi-Fi password',
  'log_action.password.delete': 'Delete password rule',
  'log_action.password.reveal': 'Show Wi-Fi password',
  'log_action.template.create': 'Create wireless template',
  'log_action.template.update': 'Change wireless template',
  'log_action.template.copy': 'Copy wireless template',
  'log_action.template.delete': 'Delete wireless template',
  'log_action.template.apply': 'Push wireless template',
  'log_action.template.take_off': 'Take wireless template off',
  'log_action.template.retry': 'Retry template push',
  'log_action.template.stop': 'Stop template push',
  'log_action.template.resume': 'Continue template push',
  'log_action.template.rollback': 'Roll back template push',
};
