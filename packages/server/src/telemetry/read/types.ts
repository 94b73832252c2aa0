/** An account or some networks combined, or each network or device. */
export type ReadScope = 'account' | 'network' | 'device';

/** `1d` is a local day of `zone`. */
export type ReadStep = '5m' | '1h' | '1d';

export interface Lines {
  scope: ReadScope;
  /**
   * `account`: networks to combine; null includes devices without a network. `network`, `device`: rows; null is all.
   * Callers with limited access must pass their networks.
   */
  ids: readonly string[] | null;
  /** `device` only: devices that were in these networks. */
  gwids?: readonly string[] | null;
}

/** End exclusive, both rounded down to five minutes. */
export interface Span {
  from: Date;
  to: Date;
}

/** A mean without values is null. */
export interface Measures {
  /** Reports, and those after a restart. */
  samples: number;
  restarts: number;
  wanDown: number;
  wanUp: number;
  /** Bytes of devices that were their network's internet uplink, so each counts once. */
  houseWan: number;
  down: number;
  up: number;
  down2g: number;
  up2g: number;
  down5g: number;
  up5g: number;
  down6g: number;
  up6g: number;
  /**
   * Mean per device, summed. A client on two devices counts twice; `usersNow` and `usersByDay` count distinct ones.
   */
  clients: number | null;
  clients2g: number | null;
  clients5g: number | null;
  clients6g: number | null;
  /** Highest five-minute value; null if several networks are combined over longer buckets. */
  clientsMax: number | null;
  /** Percent. */
  cpu: number | null;
  cpuMax: number | null;
  mem: number | null;
  memMax: number | null;
  /** Channel utilization, percent. */
  util2g: number | null;
  util2gMax: number | null;
  util5g: number | null;
  util5gMax: number | null;
  util6g: number | null;
  util6gMax: number | null;
  /** dBm. */
  noise2g: number | null;
  noise5g: number | null;
  noise6g: number | null;
  /** Mean signal in dBm; observations with a signal, and weak ones. */
  rssi: number | null;
  sightings: number;
  weak: number;
  /** Mean transmit rate, kbit/s. */
  rate: number | null;
  txPackets: number;
  txRetries: number;
  txFailed: number;
}

export interface Reach {
  /** Null includes devices without a network. */
  gwids: readonly string[] | null;
}

/** Old users were seen before that day. */
export interface UserCounts {
  online: number;
  newUsers: number;
  oldUsers: number;
  authenticated: number;
}
