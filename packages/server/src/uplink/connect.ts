import {
  asFlag,
  asNumber,
  asRecord,
  asText,
  asTexts,
  type Capabilities,
  type ConnectParams,
  type EdgeCapabilities,
  recoveryUuid,
  takesCompressedCommands,
  type Wire,
} from '@yunxun/contract/device';
import type { DeviceProfile } from './frame.ts';
import type { Connect } from './ports.ts';

const maxUpstream = 16;

/** Sets invalid fields to null. */
export function readConnect(params: Wire<ConnectParams>, at: Date): Connect {
  const capabilities = asRecord<Capabilities>(params.capabilities);
  const agent = asRecord<EdgeCapabilities>(capabilities.yunxun);
  return {
    at,
    firmware: asText(params.firmware, 256),
    uuid: asNumber(params.uuid) ?? 0,
    reason: asText(params.reason, 64),
    platform: asText(capabilities.platform, 64),
    model: asText(capabilities.model, 128),
    compatible: asText(capabilities.compatible, 128),
    capabilities: capabilities as Record<string, unknown>,
    renews: asFlag(agent.renews) ?? false,
    quiet: asFlag(agent.quiet) ?? false,
    discovery: asText(asRecord<{ type: string }>(params.discovery).type, 64),
  };
}

export function upstreamOf({ capabilities }: Pick<Connect, 'capabilities'>): readonly string[] {
  const ports = asRecord<Record<string, unknown>>(asRecord<Capabilities>(capabilities).network);
  const names = Object.entries(ports).flatMap(([port, devices]) => (/^wan/i.test(port) ? asTexts(devices) : []));
  return names.slice(0, maxUpstream).map((name) => name.slice(0, 32));
}

export function profileOf({ capabilities, platform, renews, uuid }: Connect): DeviceProfile {
  return {
    platform,
    agent: renews,
    compresses: takesCompressedCommands(capabilities),
    // reports also say 0 on unconfigured devices; switches have no recovery boot
    recovery: uuid === recoveryUuid && platform !== 'switch',
  };
}
