/** Account or networks combined, or each network or device. */
export type ReadScope = 'account' | 'network' | 'device';

/** `1d`: local day of `zone`. */
export type ReadStep = '5m' | '1h' | '1d';

export interface Lines {
  scope: ReadScope;
  /**
   * `account`: networks to combine; null includes unassigned devices. `network`, `device`: rows; null: all. Limited
   * callers must pass their networks.
   */
  ids: readonly string[] | null;
  /** `device` only: in these networks. */
  gwids?: readonly string[] | null;
}

/** End exclusive; rounded down to five minutes. */
export interface Span {
  from: Date;
  to: Date;
}

/** A mean without values is null. */
export interface Measures {
  samples: number;
  restarts: number;
  wanDown: number;
  wanUp: number;
  /** Bytes of devices that were the network's uplink, so each counts once. */
  networkWan: number;
  down: number;
  up: number;
  down2g: number;
  up2g: number;
  down5g: number;
  up5g: number;
  down6g: number;
  up6g: number;
  /** Summed means per device: a client on two devices counts twice, unlike `usersNow` and `usersByDay`. */
  clients: number | null;
  clients2g: number | null;
  clients5g: number | null;
  clients6g: number | null;
  /** Five-minute maximum; null if networks are combined over longer buckets. */
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
  /** Worst WAN of each gateway that is up: milliseconds and percent. */
  wanLatency: number | null;
  wanLoss: number | null;
  /** Mean dBm; observations with a signal, and weak ones. */
  rssi: number | null;
  sightings: number;
  weak: number;
  /** Transmit, kbit/s. */
  rate: number | null;
  txPackets: number;
  txRetries: number;
  txFailed: number;
}

export interface Scope {
  /** Null includes unassigned devices. */
  gwids: readonly string[] | null;
}

/** Old: seen before that day. */
export interface UserCounts {
  online: number;
  newUsers: number;
  oldUsers: number;
  authenticated: number;
}
