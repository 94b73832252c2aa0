/** What a rollup is about: an account (or some networks of it together), networks one by one, devices one by one. */
export type ReadScope = 'account' | 'network' | 'device';

/** Length of a bucket; `1d` is a day of the calendar of `zone`. */
export type ReadStep = '5m' | '1h' | '1d';

/** Which lines are read. */
export interface Lines {
  scope: ReadScope;
  /**
   * `account`: the networks that are summed up, null for the whole account with what waits for a network.
   * `network` and `device`: whose lines; null is all of them. Whoever may see some networks only passes those.
   */
  ids: readonly string[] | null;
  /** `device` only: the devices that were in these networks at the time. */
  gwids?: readonly string[] | null;
}

/** A stretch of time: `from` belongs to it, `to` does not. Both are rounded down to five minutes. */
export interface Span {
  from: Date;
  to: Date;
}

/** Numbers of a line over a stretch of time. Bytes are since the report before; means are null where no report said anything. */
export interface Measures {
  /** Reports, and how many of them told of a restart. */
  samples: number;
  restarts: number;
  /** Bytes through the uplinks: to and from the terminals' side. */
  wanDown: number;
  wanUp: number;
  /** Bytes both ways of the devices that were their house's way out when they reported: each byte once a house. */
  houseWan: number;
  /** Bytes by radio to and from terminals: all bands, and each. */
  down: number;
  up: number;
  down2g: number;
  up2g: number;
  down5g: number;
  up5g: number;
  down6g: number;
  up6g: number;
  /**
   * Terminals: mean over the five-minute buckets, of each device's mean summed over the devices. One that two devices report
   * (its access point, and the gateway behind that) is in both; `usersNow` and `usersByDay` count people.
   */
  clients: number | null;
  clients2g: number | null;
  clients5g: number | null;
  clients6g: number | null;
  /** The highest five-minute value; null where several networks are summed over more than five minutes. */
  clientsMax: number | null;
  /** Percent. */
  cpu: number | null;
  cpuMax: number | null;
  mem: number | null;
  memMax: number | null;
  /** Use of the air, percent. */
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
  /** Mean signal of the stations, dBm; sightings of stations, and those below the weak signal. */
  rssi: number | null;
  sightings: number;
  weak: number;
  /** Mean transmit rate of the stations, kbit/s. */
  rate: number | null;
  txPackets: number;
  txRetries: number;
  txFailed: number;
}

/** Whose stations: an account, or some of its networks. */
export interface Reach {
  /** null is the whole account with what waits for a network. */
  gwids: readonly string[] | null;
}

/** Users of a day. `old` were seen in the account before that day. */
export interface UserCounts {
  online: number;
  newUsers: number;
  oldUsers: number;
  authenticated: number;
}
