import type * as source from './remote-pages-zh-cn.ts';

export const remotePages: Readonly<Record<keyof typeof source.remotePages, string>> = {
  'remotePage.frame': 'Web page of {target}',
  'remotePage.of_device': 'The device serves what is shown below',
  'remotePage.left': '{minutes} min left',
  'remotePage.console': 'Console',
  'remotePage.reload': 'Reload',
  'remotePage.end': 'End the session',
  'remotePage.over_title': 'The session is over',
  'remotePage.over': 'Open the page of the device again from the console.',
  'remotePage.unreachable_title': 'The device does not respond',
  'remotePage.unreachable': 'The gateway cannot reach {address}: {reason}',
  'remotePage.slow_title': 'The device takes too long',
  'remotePage.slow': '{address} did not answer within 2 minutes. Reload, or try again later.',
  'remotePage.other_port_title': 'The device asks for another port',
  'remotePage.other_port':
    'The page leads to {address}. A session reaches only the registered port: enter {port} as the web port of the peripheral device, and open the page again.',
  'remotePage.elsewhere_title': 'The page leads to another address',
  'remotePage.elsewhere': '{address} is not this device, and the session does not reach it.',
  'remotePage.busy_title': 'Too many connections',
  'remotePage.busy': 'The page has too many connections open at once. Close some and try again.',
};
