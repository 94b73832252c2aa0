import type { EdgeCaptiveParams } from './edge-captive.ts';
import type { EdgePluginParams } from './edge-plugins.ts';
import type { EdgeScanParams, EdgeWakeParams } from './edge-scan.ts';
import type { EdgeShieldParams } from './edge-shield.ts';
import type { EdgeSnapshotParams } from './edge-snapshot.ts';
import type { EdgeToolParams, edgeToolMethod } from './edge-tools.ts';
import type { EdgeWatchParams } from './edge-watch.ts';
import type { EdgeRemoteParams } from './remote.ts';

export interface ConfigurationDocument {
  /** Must equal `params.uuid`. */
  uuid: number;
  /** Treats warnings as errors. */
  strict?: boolean;
  [section: string]: unknown;
}

/** `serial` is added when sending. `when`: Unix seconds, 0: now; ignored by access points. */
export interface CommandParams {
  /** `uuid` repeats inside `config`: int32, above any stored one. */
  configure: { uuid: number; config: ConfigurationDocument; when?: number; compress?: boolean };
  ping: Record<never, never>;
  request: { message: 'state' | 'healthcheck'; request_uuid: string; when?: number };
  reboot: { when: number };
  /** `keep_redirector` 1 keeps keys, certificates, address and configuration. */
  factory: { when: number; keep_redirector: 0 | 1 };
  upgrade: {
    uri: string;
    when: number;
    keep_redirector: 0 | 1;
    keep_config?: boolean;
    signature?: string;
    'use-local-certificates'?: boolean;
  };
  /** `duration` in seconds. */
  leds: { pattern: 'on' | 'off' | 'blink'; duration: number; when: number; endless?: boolean };
  wifiscan: {
    bands?: readonly string[];
    channels?: readonly number[];
    active: boolean;
    bandwidth?: number;
    override_dfs?: boolean;
    verbose?: boolean;
    ies?: readonly unknown[];
  };
  /** The reply follows the capture; the file is posted to `uri`. */
  trace: {
    uri: string;
    interface?: string;
    network?: string;
    /** Seconds. */
    duration: number;
    packets?: number;
    /** Bytes per packet. */
    snaplen?: number;
    filter?: string;
    when?: number;
  };
  event: { types: readonly string[] };
  /** Seconds; 0 stops. */
  telemetry: { interval: number; types: readonly string[] };
  /** No reply on success. `addr` with colons, `reason` of IEEE 802.11. */
  rrm: { actions: readonly { action: 'kick'; addr: string; reason: number }[] };
  /** `script`: base64, `timeout`: seconds; `diagnostic` needs none. */
  script: {
    type: 'shell' | 'ucode' | 'bundle' | 'diagnostic';
    script?: string;
    timeout?: number;
    uri?: string;
    signature?: string;
    when?: number;
  };
  /** The reply follows the change of settings; the client then dials `server`. */
  rtty: { id: string; token: string; server: string; port: number; timeout: number; user: string };
  [edgeToolMethod]:
    | EdgeToolParams
    | EdgeWatchParams
    | EdgeScanParams
    | EdgeSnapshotParams
    | EdgeWakeParams
    | EdgeShieldParams
    | EdgePluginParams
    | EdgeCaptiveParams
    | EdgeRemoteParams;
}

export type TypedCommand = keyof CommandParams;
