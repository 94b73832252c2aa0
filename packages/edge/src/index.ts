export { abilitiesOf } from './agent/capabilities.ts';
export { agentFirmwareName, agentVersion } from './agent/version.ts';
export * from './back-off.ts';
export { readCaptiveCommand, readPayPass } from './captive/index.ts';
export { pageFor } from './captive/redirector.ts';
export { lineFor } from './captive/relay.ts';
export * from './client.ts';
export * from './clock.ts';
export * from './codec.ts';
export * from './configuration-store.ts';
export { type EdgeDocument, type Facts, readDocument } from './document/index.ts';
export * from './enrol.ts';
export * from './firmware.ts';
export * from './host-name.ts';
export * from './identity.ts';
export * from './manual-clock.ts';
export * from './measure/report.ts';
export type { Station as EdgeStation } from './measure/stations.ts';
export * from './metrics.ts';
export {
  answerLine,
  createRemote,
  type FileAction,
  FileRefused,
  type FileRequest,
  type Remote,
  refusal,
  TargetRefused,
} from './remote/index.ts';
export { type Plan, render } from './render/index.ts';
export { Domains as ShieldDomains } from './shield/domains.ts';
export * from './system.ts';
export { readTool, type ToolRequest } from './tools/request.ts';
export { ownAddressIn } from './tools/source.ts';
