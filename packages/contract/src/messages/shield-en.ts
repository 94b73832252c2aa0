import type * as source from './shield-zh-CN.ts';

export const shield: Readonly<Record<keyof typeof source.shield, string>> = {
  'validation.fullHost': 'Enter the full host name of the service, such as chat.example.com',
  'validation.https': 'Enter an address that starts with https://',
  'validation.domain': '“{value}” is not a domain',
};
