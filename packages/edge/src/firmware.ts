import { type ControllerMethod, deviceLimits, edgeEvents, edgeToolMethod } from '@yunxun/contract/device';
import { accessPointBackOff, agentBackOff, type BackOffRule, switchBackOff } from './back-off.ts';

export interface FirmwareProfile {
  /** Frames of this size and more are truncated and lost. */
  receiveBytes: number;
  compressedConfigure: boolean;
  compressState: boolean;
  /** Access points ignore unknown methods; switches answer Success. */
  unknownMethod: 'silent' | 'success';
  /** Access points send the reason in `connect`; switches send `device.reboot` after a start. */
  reason: 'connect' | 'event';
  /** `request` fails on current access points: it restarts a removed service. */
  requestWorks: boolean;
  backOff: BackOffRule;
  /** Offline time after which the client restarts with reason `recovery`, in milliseconds; null: never. */
  restartAfter: number | null;
  commands: ReadonlySet<ControllerMethod>;
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

/** Our agent: the access point's protocol without its defects. */
export const agentFirmware: FirmwareProfile = {
  ...accessPointFirmware,
  receiveBytes: deviceLimits.switchFrameBytes,
  requestWorks: true,
  backOff: agentBackOff,
  restartAfter: null,
  alwaysEvents: new Set(edgeEvents),
  commands: new Set([...accessPointFirmware.commands, edgeToolMethod]),
};
