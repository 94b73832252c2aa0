export type RequestSource =
  | { kind: 'udp'; address: string; port: number }
  | { kind: 'device'; accountId: string; serial: string; gwid: string };
