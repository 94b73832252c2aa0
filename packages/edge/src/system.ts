import type {
  Capabilities,
  ConfigurationDocument,
  ConnectReason,
  EdgePort53Refusal,
  EdgeToolResult,
  HealthData,
  State,
  WifiScanEntry,
} from '@yunxun/contract/device';

/** 0 complete, 1 parts rejected, 2 nothing changed. */
export interface ApplyResult {
  error: 0 | 1 | 2;
  /** Firmware format: `[E] (In /radios/0/band) …`. */
  rejected: readonly string[];
  /** Interface names of LANs that have no address, because a WAN has their subnet. */
  withheld?: readonly string[];
  port53?: EdgePort53Refusal;
}

export interface ActionResult {
  error: number;
  text: string;
}

export interface HealthReport {
  sanity: number;
  data: HealthData;
}

export interface ScriptRequest {
  type: string;
  body: string;
  timeoutSeconds: number;
  uri?: string | null;
}

export interface ScriptResult {
  error: number;
  result: string;
  pushes?: 'state' | 'healthcheck';
}

export interface PackageRequest {
  op: string;
  names: readonly string[];
}

export interface SystemListener {
  event(atSeconds: number, type: string, payload: Record<string, unknown>): void;
}

/** Implemented in memory by the simulator. Must not throw for remote input. */
export interface DeviceSystem {
  readonly serial: string;
  firmware(): string;
  capabilities(): Capabilities;
  password(): string | null;
  readState(): State;
  readHealth(): HealthReport;
  apply(document: ConfigurationDocument): Promise<ApplyResult>;
  /** Uuid of the last configuration that was tried and taken back; 0: none. */
  returnedUuid?(): number;
  /** Downloads and verifies an image. The client restarts the host on result 0. */
  upgrade(uri: string): Promise<ActionResult>;
  restart(cause: ConnectReason): void;
  /** Defaults to yes. */
  mayRestart?(): ActionResult;
  factory(keepRedirector: boolean): void;
  leds(pattern: string, seconds: number): ActionResult;
  runScript(request: ScriptRequest): Promise<ScriptResult>;
  scan(): Promise<readonly WifiScanEntry[]>;
  trace?(params: Readonly<Record<string, unknown>>): Promise<ActionResult>;
  useTool?(params: Readonly<Record<string, unknown>>): Promise<ActionResult & { tool?: EdgeToolResult }>;
  /** Dials the server of a remote shell (uCentral). */
  rtty?(params: Readonly<Record<string, unknown>>): ActionResult;
  packages(request: PackageRequest): readonly { name: string; result: string | null }[];
  manageRadios(actions: readonly unknown[]): void;
  fingerprints(): Record<string, unknown>;
  listen(listener: SystemListener): void;
}
