import type * as source from './portal-zh-cn.ts';

export const portal = {
  'portal.codes_too_short':
    'Use at least {min} characters: of all possible codes, one in a million may be valid in this network.',
  'portal.device_not_waiting': 'This device no longer waits on the sign-in page. Open the page on it again.',
  'portal.codes_not_kept': 'The codes of this batch were not kept, so it cannot be printed again.',
  'portal.no_such_code': 'This batch has no voucher with this code that is still valid.',
} as const satisfies Readonly<Record<keyof typeof source.portal, string>>;
