export const faultKinds = [
  'lose-link',
  'reject-configuration',
  'answer-twice',
  'stay-silent',
  'hang',
  'reconnect-storm',
  'power-cut',
  'cable',
  'machine',
  'unhealthy',
  'crash',
  'fail-upgrade',
  'clear',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export const upgradeFaults = ['refuse', 'return', 'vanish'] as const;
export type UpgradeFault = (typeof upgradeFaults)[number];

export interface FaultOptions {
  /** `lose-link`, `power-cut`: duration in seconds. Default 60. */
  seconds?: number;
  /** `reject-configuration`, `fail-upgrade`: count (default 1); `reconnect-storm`: reconnects (default 20). */
  times?: number;
  /** `reconnect-storm`: interval in milliseconds. Default 200. */
  everyMs?: number;
  /**
   * `answer-twice`, `stay-silent`, `hang`, `unhealthy`, `cable`, `machine`: default true; for `cable`, false pulls it,
   * for `machine`, false switches off the machine with `address` in the gateway's LAN.
   */
  on?: boolean;
  port?: string;
  address?: string;
  how?: UpgradeFault;
}

export function isFaultKind(word: unknown): word is FaultKind {
  return (faultKinds as readonly unknown[]).includes(word);
}
