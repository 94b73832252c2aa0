import { type ControllerMethod, deviceLimits, edgeEvents } from '@yunxun/contract/device';
import { accessPointBackOff, agentBackOff, type BackOffRule, switchBackOff } from './back-off.ts';

/** Where the clients of access points, switches and our own agent differ on the wire. */
export interface FirmwareProfile {
  /** Frames of this size and more are cut and lost. */
  receiveBytes: number;
  /** Takes compressed `configure` parameters. */
  compressedConfigure: boolean;
  /** Compresses `state`. */
  compressState: boolean;
  /** Access points keep silent, switches say Success. */
  unknownMethod: 'silent' | 'success';
  /** Access points give a reason in `connect`; switches send the event `device.reboot` after a start. */
  reason: 'connect' | 'event';
  /** `request` fails on today's access points: the service it restarts is gone. */
  requestWorks: boolean;
  backOff: BackOffRule;
  /** Offline for so long (milliseconds), the client restarts itself and comes back with reason `recovery`; null: never. */
  restartAfter: number | null;
  commands: ReadonlySet<ControllerMethod>;
  /** Events that are sent whatever `metrics.realtime` asks for. */
  alwaysEvents?: ReadonlySet<string>;
}

const everywhere: readonly ControllerMethod[] = [
  'configure',
  'ping',
  'reboot',
  'factory',
  'upgrade',
  'telemetry',
  'script',
];

const accessPointOnly: readonly ControllerMethod[] = [
  'request',
  'leds',
  'wifiscan',
  'event',
  'rrm',
  'fingerprint',
  'package',
  'trace',
];

/** The uCentral client of access points (and of gateways that run the same firmware). */
export const accessPointFirmware: FirmwareProfile = {
  receiveBytes: deviceLimits.frameBytes,
  compressedConfigure: true,
  compressState: true,
  unknownMethod: 'silent',
  reason: 'connect',
  requestWorks: false,
  backOff: accessPointBackOff,
  restartAfter: deviceLimits.restartAfter,
  commands: new Set([...everywhere, ...accessPointOnly]),
};

/** The OpenLAN switch client. */
export const switchFirmware: FirmwareProfile = {
  receiveBytes: deviceLimits.switchFrameBytes,
  compressedConfigure: false,
  compressState: false,
  unknownMethod: 'success',
  reason: 'event',
  requestWorks: true,
  backOff: switchBackOff,
  restartAfter: null,
  commands: new Set([...everywhere, 'request']),
};

/** Our own agent: the access point's protocol without its defects. */
export const agentFirmware: FirmwareProfile = {
  ...accessPointFirmware,
  receiveBytes: deviceLimits.switchFrameBytes,
  requestWorks: true,
  backOff: agentBackOff,
  restartAfter: null,
  alwaysEvents: new Set(edgeEvents),
};
