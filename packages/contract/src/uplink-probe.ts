/** Asked where neither the gateway nor the DNS servers of a WAN answer (AliDNS, anycast). */
export const publicProbe = '223.5.5.5';
