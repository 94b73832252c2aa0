/** What can go wrong with a simulated device on command. */
export const faultKinds = [
  'lose-link',
  'reject-configuration',
  'answer-twice',
  'stay-silent',
  'hang',
  'reconnect-storm',
  'power-cut',
  'cable',
  'unhealthy',
  'crash',
  'fail-upgrade',
  'clear',
] as const;
/** One of `faultKinds`. */
export type FaultKind = (typeof faultKinds)[number];

/** How an upgrade fails: the image is refused, the device returns to what it ran, or it does not come back. */
export const upgradeFaults = ['refuse', 'return', 'vanish'] as const;
export type UpgradeFault = (typeof upgradeFaults)[number];

/** Details of a fault; each kind takes its own. */
export interface FaultOptions {
  /** `lose-link`, `power-cut`: how long, seconds. Default 60. */
  seconds?: number;
  /** `reject-configuration`, `fail-upgrade`: how many (default 1); `reconnect-storm`: how many reconnects (default 20). */
  times?: number;
  /** `reconnect-storm`: time between two reconnects, milliseconds. Default 200. */
  everyMs?: number;
  /** `answer-twice`, `stay-silent`, `hang`, `unhealthy`, `cable`: on or off. Default true; for `cable`, false pulls it. */
  on?: boolean;
  /** `cable`: `WAN`, `LAN1`, `Ethernet3`. */
  port?: string;
  /** `fail-upgrade`; default `return`. */
  how?: UpgradeFault;
}

/** Whether a word names a fault. */
export function isFaultKind(word: unknown): word is FaultKind {
  return (faultKinds as readonly unknown[]).includes(word);
}
