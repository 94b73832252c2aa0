export { createAdmission } from './admission.ts';
export { createAgentSigner } from './agent-signer.ts';
export { type Authority, loadAuthority } from './authority.ts';
export { expiringCertificates } from './certificate-expiry.ts';
export type { CommandResult } from './channel.ts';
export { DeviceCommands, DeviceError, DeviceOffline, DeviceTimeout, type ScriptResult } from './device-commands.ts';
export { assignSerial, lockSerial, type SerialRow } from './directory.ts';
export { edgeBundlePath, edgeBundleVersion, mountEdgeBundle } from './edge-bundle.ts';
export { enrol, releaseDevice, revokeDevice } from './enrolment.ts';
export { readClientCas } from './enrolment-proof.ts';
export { watchLostLinks } from './lost-links.ts';
export { createDevicePasswords } from './passwords.ts';
export { identifyPeer } from './peer-identity.ts';
export type {
  CertificateRenewal,
  CodeGuesses,
  Connect,
  DeviceFingerprint,
  DeviceRef,
  Disconnect,
  DisconnectReason,
  Enrolment,
  EnrolmentAsk,
  EnrolmentGate,
  FingerprintPair,
  Lapse,
  Link,
  ReportDigest,
  ReportedPort,
  UplinkHandlers,
} from './ports.ts';
export { exchangeRadius } from './radius-frames.ts';
export { createRefusalLog, type RefusalReason, recentRefusals, refusalReasons } from './refusals.ts';
export { createRenewals } from './renewal.ts';
export { mountEnrolScript, type UplinkRoutesOptions, uplinkRoutes } from './routes.ts';
export {
  createCertificateSharing,
  deleteSharing,
  type SharedCertificate,
  sharedCertificate,
  sharedCertificates,
  swapFingerprints,
} from './shared-certificate.ts';
export { factSubject } from './subjects.ts';
export { startUplink, type Uplink, type UplinkOptions } from './uplink.ts';
