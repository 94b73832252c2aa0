import { type ControllerMethod, deviceLimits, edgeEvents, edgeToolMethod } from '@yunxun/contract/device';
import { accessPointBackOff, agentBackOff, type BackOffRule, switchBackOff } from './back-off.ts';

export interface FirmwareProfile {
  /** Larger frames are truncated and lost. */
  receiveBytes: number;
  compressedConfigure: boolean;
  compressState: boolean;
  /** Access points ignore unknown methods; switches answer Success. */
  unknownMethod: 'silent' | 'success';
  /** Switches send `device.reboot` after a start. */
  reason: 'connect' | 'event';
  /** Current access points restart a removed service. */
  requestWorks: boolean;
  backOff: BackOffRule;
  /** Milliseconds offline before a restart with reason `recovery`; null: never. */
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

const accessPointAndAgent: readonly ControllerMethod[] = [
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
  commands: new Set([...everywhere, ...accessPointAndAgent, 'rtty']),
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

/** The access point's protocol without its defects. */
export const agentFirmware: FirmwareProfile = {
  ...accessPointFirmware,
  receiveBytes: deviceLimits.switchFrameBytes,
  requestWorks: true,
  backOff: agentBackOff,
  restartAfter: null,
  alwaysEvents: new Set(edgeEvents),
  commands: new Set([...everywhere, ...accessPointAndAgent, edgeToolMethod]),
};
