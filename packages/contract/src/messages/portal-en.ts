import type * as source from './portal-zh-cn.ts';

export const portal = {
  'validation.captive_second': 'Access points run the sign-in in one VLAN: choose SSIDs of the same VLAN',
  'validation.captive_keys': 'Keys of this SSID put clients into other VLANs, past the sign-in',
  'validation.addressRange': '{range} is no range: write first-last, a subnet without host bits, or one address',
  'validation.rangeOutside': '{range} is outside of {lan} ({subnet})',
  'validation.subnetUnknown': 'The subnet of {lan} is not known: save the settings of the gateway first',
  'validation.rangeOverlap': '{range} overlaps {other}',
  'validation.rangeLan': 'Ranges are of a chosen network, and {lan} is none',
  'validation.rangeOfSsid': 'The SSID {ssid} makes all clients of {lan} sign in: remove its ranges, or the SSID',
  'validation.exemptDevice': '{device} is neither the MAC nor the IP address of a client',
  'validation.captiveRanges': 'The agent on the gateway is too old for address ranges and IPv6 addresses. Upgrade it.',
  'validation.ssidUntagged':
    'The SSID {ssid} has no VLAN: its clients share a network with access points and wired devices. Give it a VLAN that is a network of the gateway, or choose the whole network.',
  'validation.ssidNoLan':
    'The gateway has no network with VLAN {vlan} of the SSID {ssid}. Add one, or give the SSID another VLAN.',
  'portal.codes_too_short':
    'Use at least {min} characters: of all possible codes, one in a million may be valid in this network.',
  'portal.device_not_waiting': 'This device no longer waits on the sign-in page. Open the page on it again.',
  'portal.codes_not_kept': 'The codes of this batch were not kept, so it cannot be printed again.',
  'portal.no_such_code': 'This batch has no voucher with this code that is still valid.',
} as const satisfies Readonly<Record<keyof typeof source.portal, string>>;
