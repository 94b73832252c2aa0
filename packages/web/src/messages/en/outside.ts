import type { outside as zh } from '../zh-cn/outside.ts';

export const outside: Record<keyof typeof zh, string> = {
  'forgot.ways': 'Ways to set a new password',
  'forgot.by_email': 'By e-mail',
  'forgot.by_mobile': 'By mobile',
  'forgot.send_link': 'Send the link',
  'forgot.sent_email':
    'If an account uses {email}, a link for a new password has been sent to it. The link works for {n, plural, one {# minute} other {# minutes}}.',
  'forgot.next': 'Next',
  'reset.body': 'Set a new password for {login}. All its sessions end; its API tokens keep working.',
  'reset.submit': 'Set the password',
  'reset.used': 'This link has been used',
  'reset.used_body': 'A link sets a new password once. If that was not you, request a new link at once.',
  'reset.expired': 'This link no longer works',
  'reset.expired_body': 'A link works for {n, plural, one {# minute} other {# minutes}}, and only the newest one does.',
  'reset.again': 'Request a new link',
  'qr_confirm.title': 'Confirm the sign-in',
  'qr_confirm.body': 'A browser asks to be signed in as {name}.',
  'qr_confirm.browser': 'Browser',
  'qr_confirm.unknown_browser': 'Unknown',
  'qr_confirm.address': 'IP address',
  'qr_confirm.asked': 'Asked',
  'qr_confirm.warning': 'Confirm only if you opened the sign-in page in this browser yourself, just now.',
  'qr_confirm.accept': 'Confirm',
  'qr_confirm.refuse': 'Refuse',
  'qr_confirm.accepted': 'Confirmed',
  'qr_confirm.accepted_body': 'The browser is signing in. You can close this page.',
  'qr_confirm.refused': 'Refused',
  'qr_confirm.refused_body': 'The browser was not signed in. Do not scan codes that others send you.',
  'qr_confirm.expired_body': 'Refresh the code on the sign-in page and scan it again.',
  'protocol.print': 'Print',
  'protocol.version': 'Version {version}',
  'protocol.date': 'updated {date}',
  'protocol.default':
    'This is the default text of the software. The organisation that runs this console may replace it, or agree other terms with you.',
  'protocol.what_title': '1. What this is',
  'protocol.what':
    'Yunxun is an open-source console for managing network devices, run by the organisation that installed it (the operator). The operator administers the account you create here, and these terms are between you and the operator.',
  'protocol.account_title': '2. Your account',
  'protocol.account':
    'Register with a mobile number or e-mail of your own, and keep your password and binding code safe. A device that holds the binding code can join your account; replace the code at once if it becomes known.',
  'protocol.data_title': '3. Data',
  'protocol.data':
    'The console keeps the devices, configurations, states, sign-in log and operation log of your account, and what devices report about clients, such as MAC address and signal strength. It is stored on the operator’s server and used only to manage the network; of passwords only a hash is kept, and Wi-Fi keys are encrypted.',
  'protocol.devices_title': '4. Devices',
  'protocol.devices':
    'Connect only devices you are entitled to manage. Configurations pushed from the console change how devices work and may briefly disconnect clients; check the effects shown before you apply them.',
  'protocol.duty_title': '5. Responsibility',
  'protocol.duty':
    'The software is provided as it is, under the Apache-2.0 licence. The operator may keep logs and answer to the authorities as the law requires; you follow the law on network management and personal data where you are.',
  'protocol.change_title': '6. Changes and leaving',
  'protocol.change':
    'Version and date are shown above; the operator informs you of changes. You may unbind your devices at any time, and ask the operator to close the account and delete its data.',
};
