import type { alarmBrowsers as zh } from '../zh-cn/alarm-browsers.ts';

export const alarmBrowsers: Record<keyof typeof zh, string> = {
  'browser.intro':
    'A browser can show alarms as notifications, even while the console is closed. Add it here, then make yourself a member of a subscription with the channel “Browser notification”. Signing out in this browser ends its notifications.',
  'browser.name': 'Browser',
  'browser.name_hint': 'Shown in this list and in the record of sent messages',
  'browser.added': 'Added',
  'browser.last': 'Latest message',
  'browser.current': 'This browser',
  'browser.add': 'Show alarms in this browser',
  'browser.saved': 'This browser can now show alarms',
  'browser.remove': 'Remove',
  'browser.remove_named': 'Remove {name}',
  'browser.remove_question': 'This browser will no longer show alarms.',
  'browser.removed': '{name} removed',
  'browser.cannot_insecure':
    'Browsers show notifications only for pages that were opened over HTTPS; this console was opened over HTTP. Ask the administrator to set up a certificate for the console.',
  'browser.cannot_unsupported':
    'This browser does not support push notifications, or the window is private. On iPhone and iPad, add the console to the home screen and open it from there.',
  'browser.cannot_denied':
    'Notifications of this site are blocked in this browser. Allow them in its site settings, then open this page again.',
  'browser.not_allowed': 'Notifications were not allowed. Try again, and allow them when the browser asks.',
  'browser.untrusted':
    'The browser does not trust the certificate of this console, so it refuses notifications. An exception for the page is not enough: install a trusted certificate.',
  'browser.no_service':
    'The browser cannot reach its push service. Check the network; Chrome needs the services of Google.',
};
