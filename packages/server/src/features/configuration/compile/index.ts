import { deviceLimits, takesCompressedCommands } from '@yunxun/contract/device';
import { type DocumentPlatform, findSchemaErrors } from '../schema/check.ts';
import { frameBytes, type UcentralDocument } from './document.ts';
import { compileEdge, isEdge } from './edge.ts';
import { Findings } from './findings.ts';
import { captiveOf } from './guest-gate.ts';
import type { CompileInput, Finding } from './intent.ts';
import { bridgedInterfaces, routedInterfaces } from './interfaces.ts';
import { accessPointMetrics, fingerprintService } from './metrics.ts';
import { compileRadios } from './radios.ts';
import { compileSsids, hasGate } from './ssids.ts';
import { compileSwitch, isSwitch, knownSchema } from './switch.ts';

export { canonical, fingerprint, frameBytes, type UcentralDocument, withUuid } from './document.ts';
export { isEdge } from './edge.ts';
export { gateObstacle, isGateAble } from './guest-gate.ts';
export type {
  CompileInput,
  DeviceFacts,
  DeviceOverride,
  Finding,
  GatewayIntent,
  GatewayReport,
  GuestGate,
  OwnPort,
  PortFacts,
  RadiusServer,
  Ssid,
  SsidKey,
  TxPowerCaps,
  WirelessIntent,
} from './intent.ts';
export { noIntent, noOverride } from './intent.ts';
export { type PortInForce, portsInForce, ruleFor, withoutRule } from './port-rules.ts';
export { withoutEmptyLists } from './ssids.ts';
export { cyclesPower, networkVlans, withoutSpeeds } from './switch.ts';

export interface Compiled {
  document: UcentralDocument;
  findings: readonly Finding[];
}

const unreported: ReadonlySet<Finding['code']> = new Set(['ports_unknown', 'addresses_unknown']);

/** Compiles purely: no clock, uuid or other devices. A document with an error finding must not be sent. */
export function compile(input: CompileInput): Compiled {
  const findings = new Findings();
  const switching = isSwitch(input);
  if (input.gateway && input.device.routes && !isEdge(input)) findings.leftOut('gateway_firmware', 'settings');
  if (!switching && (input.override.ports?.length ?? 0) > 0) findings.leftOut('not_switch', 'ports');
  checkSchemaVersion(input, switching, findings);
  const document = switching
    ? compileSwitch(input, findings)
    : isEdge(input)
      ? compileEdge(input, findings)
      : compileWireless(input, findings);
  checkSize(document, input, switching, findings);
  const awaits = awaitsReport({ document, findings: findings.list });
  for (const why of awaits ? [] : findSchemaErrors(document, platformOf(input, switching)))
    findings.wrong('not_valid', why.path, { why: why.message });
  return { document, findings: findings.list };
}

/** Errors that no report mends. */
export function lastingErrors({ findings }: Compiled): Finding[] {
  return findings.filter(({ severity, code }) => severity === 'wrong' && !unreported.has(code));
}

/** Returns whether the next report mends every error. */
export function awaitsReport(compiled: Compiled): boolean {
  return !maySend(compiled) && lastingErrors(compiled).length === 0;
}

export function maySend({ findings }: Compiled): boolean {
  return findings.every(({ severity }) => severity !== 'wrong');
}

function compileWireless(input: CompileInput, findings: Findings): UcentralDocument {
  const { device } = input;
  const radios = compileRadios(input, findings);
  const groups = compileSsids(input, findings);
  const routes = device.routes || device.kind === 'gateway';
  const isGated = groups.some(({ ssids }) => hasGate(ssids));
  return {
    unit: { name: device.name, 'leds-active': input.general?.leds ?? true },
    ...(radios.length > 0 ? { radios } : {}),
    interfaces: routes ? routedInterfaces(input, groups, findings) : bridgedInterfaces(device, groups),
    services: {
      lldp: { describe: device.name },
      fingerprint: fingerprintService,
      ...(input.gate && isGated ? { captive: captiveOf(input.gate) } : {}),
    },
    metrics: accessPointMetrics,
  };
}

function platformOf(input: CompileInput, switching: boolean): DocumentPlatform {
  if (switching) return 'switch';
  if (isEdge(input)) return 'edge';
  return input.device.capabilities?.platform === 'olg' ? 'olg' : 'ap';
}

function checkSchemaVersion({ device }: CompileInput, switching: boolean, findings: Findings): void {
  const major = device.capabilities?.version?.schema?.major;
  const known = switching ? knownSchema.switch : knownSchema.accessPoint;
  if (typeof major === 'number' && major > known) findings.adjusted('schema_unknown', '', { major, known });
}

/** Access points lose uncompressed frames of 32 KiB or more. */
function checkSize(document: UcentralDocument, { device }: CompileInput, switching: boolean, findings: Findings): void {
  const bytes = frameBytes(document);
  if (switching || bytes <= deviceLimits.sendBytes || takesCompressedCommands(device.capabilities)) return;
  findings.wrong('too_large', '', { bytes, most: deviceLimits.sendBytes });
}
