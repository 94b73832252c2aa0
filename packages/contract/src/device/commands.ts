/** Parameters of the commands a controller sends. `serial` is part of every one. */
export interface ConfigurationDocument {
  /** Must equal `params.uuid`. */
  uuid: number;
  /** Turns any warning into a refusal. */
  strict?: boolean;
  [section: string]: unknown;
}

/** Parameters of each command, without the `serial` that all carry. `when` is unix seconds, 0 for now; access points ignore it. */
export interface CommandParams {
  /** `uuid` is also inside `config`; both equal, int32, above anything the device ever stored. */
  configure: { uuid: number; config: ConfigurationDocument; when?: number; compress?: boolean };
  ping: Record<never, never>;
  request: { message: 'state' | 'healthcheck'; request_uuid: string; when?: number };
  reboot: { when: number };
  /** `keep_redirector` 1 keeps keys, certificates, the controller's address and the configuration. */
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
  /** Answered when it is over; the capture is brought to `uri` as a form. One of `interface` and `network`. */
  trace: {
    uri: string;
    interface?: string;
    network?: string;
    /** Seconds. */
    duration: number;
    packets?: number;
    /** Bytes of each packet that are kept. */
    snaplen?: number;
    filter?: string;
    when?: number;
  };
  event: { types: readonly string[] };
  /** `interval` in seconds; 0 stops. The device does not stop by itself. */
  telemetry: { interval: number; types: readonly string[] };
  /** Never answered on success. `addr` with colons, `reason` of IEEE 802.11. */
  rrm: { actions: readonly { action: 'kick'; addr: string; reason: number }[] };
  /** `script` is base64, `timeout` in seconds; `diagnostic` needs no script. */
  script: {
    type: 'shell' | 'ucode' | 'bundle' | 'diagnostic';
    script?: string;
    timeout?: number;
    uri?: string;
    signature?: string;
    when?: number;
  };
}

/** Commands whose parameters are typed here. */
export type TypedCommand = keyof CommandParams;
