import type {
  Capabilities,
  ConfigurationDocument,
  ConnectReason,
  HealthData,
  State,
  WifiScanEntry,
} from '@yunxun/contract/device';

/** How an apply ended: 0 all of it, 1 with parts rejected, 2 nothing changed. */
export interface ApplyResult {
  error: 0 | 1 | 2;
  /** Sentences as the firmware writes them: `[E] (In /radios/0/band) …`. */
  rejected: readonly string[];
}

/** How an action ended, as `status` of the reply. */
export interface ActionResult {
  error: number;
  text: string;
}

/** A health check of the box. */
export interface HealthReport {
  /** 0…100 */
  sanity: number;
  data: HealthData;
}

/** A script to run. */
export interface ScriptRequest {
  type: string;
  /** Decoded. */
  body: string;
  timeoutSeconds: number;
  /** Where what a bundle collected is to be brought; null: nowhere. */
  uri?: string | null;
}

/** What a script did. */
export interface ScriptResult {
  /** Exit code. */
  error: number;
  result: string;
  /** A report that the script pushed, as the state and health collectors of the firmware do. */
  pushes?: 'state' | 'healthcheck';
}

/** Packages to install, delete or list. */
export interface PackageRequest {
  op: string;
  names: readonly string[];
}

/** What a device says while nobody asks. */
export interface SystemListener {
  /** A realtime event, with the unix second it happened in. */
  event(atSeconds: number, type: string, payload: Record<string, unknown>): void;
}

/**
 * Everything the protocol client needs from the box it runs on. One implementation per kind of box; the simulator has
 * one that lives in memory. Calls must not throw for what a remote side asked: they answer with an error instead.
 */
export interface DeviceSystem {
  readonly serial: string;
  firmware(): string;
  capabilities(): Capabilities;
  /** Password of the local administrator, when the box tells it. */
  password(): string | null;
  /** Reads everything; deltas count from the call before. */
  readState(): State;
  readHealth(): HealthReport;
  /** Makes the document the running configuration, or says why not and stays as it was. */
  apply(document: ConfigurationDocument): Promise<ApplyResult>;
  /** Fetches and verifies an image. The client restarts the box when this answers 0. */
  upgrade(uri: string): Promise<ActionResult>;
  /** Goes down and comes back with this cause. */
  restart(cause: ConnectReason): void;
  /** Whether it may restart on command; without this it may. */
  mayRestart?(): ActionResult;
  /** Forgets the configuration, and without `keepRedirector` the identity too; then restarts. */
  factory(keepRedirector: boolean): void;
  leds(pattern: string, seconds: number): ActionResult;
  runScript(request: ScriptRequest): Promise<ScriptResult>;
  scan(): Promise<readonly WifiScanEntry[]>;
  /** Captures packets and brings them to the console; boxes that do not know the command have none. */
  trace?(params: Readonly<Record<string, unknown>>): Promise<ActionResult>;
  /** Result per package, or null where one is missing. */
  packages(request: PackageRequest): readonly { name: string; result: string | null }[];
  /** Radio resource management: kicks, channel and power changes. */
  manageRadios(actions: readonly unknown[]): void;
  fingerprints(): Record<string, unknown>;
  listen(listener: SystemListener): void;
}
