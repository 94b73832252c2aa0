/** The device uplink: certificate authority, enrolment, device port, commands. What the rest of the program may use. */
export { createAdmission } from './admission.ts';
export { createAgentSigner } from './agent-signer.ts';
export { type Authority, loadAuthority } from './authority.ts';
export type { CommandResult } from './channel.ts';
export { DeviceCommands, DeviceError, DeviceOffline, DeviceTimeout, type ScriptResult } from './device-commands.ts';
export { edgeBundlePath, edgeBundleVersion, mountEdgeBundle } from './edge-bundle.ts';
export { enrol, releaseDevice, revokeDevice } from './enrolment.ts';
export { watchLostLinks } from './lost-links.ts';
export { createDevicePasswords } from './passwords.ts';
export type {
  CertificateRenewal,
  Connect,
  DeviceRef,
  Disconnect,
  DisconnectReason,
  Enrolment,
  Lapse,
  Link,
  ReportDigest,
  UplinkHandlers,
} from './ports.ts';
export { createRefusalLog, type RefusalReason, recentRefusals, refusalReasons } from './refusals.ts';
export { createRenewals } from './renewal.ts';
export { mountEnrolScript, type UplinkRoutesOptions, uplinkRoutes } from './routes.ts';
export { factSubject } from './subjects.ts';
export { startUplink, type Uplink, type UplinkOptions } from './uplink.ts';
