/** AliDNS, anycast. */
export const publicProbe = '223.5.5.5';
