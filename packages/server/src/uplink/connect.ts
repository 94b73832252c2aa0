import { asNumber, asRecord, asText, type Capabilities, type ConnectParams, type Wire } from '@yunxun/contract/device';
import type { Connect } from './ports.ts';

/** Reads the first message of a session; whatever is missing or of the wrong type is null. */
export function readConnect(params: Wire<ConnectParams>, at: Date): Connect {
  const capabilities = asRecord<Capabilities>(params.capabilities);
  return {
    at,
    firmware: asText(params.firmware, 256),
    uuid: asNumber(params.uuid) ?? 0,
    reason: asText(params.reason, 64),
    platform: asText(capabilities.platform, 64),
    model: asText(capabilities.model, 128),
    compatible: asText(capabilities.compatible, 128),
    capabilities: capabilities as Record<string, unknown>,
    discovery: asText(asRecord<{ type: string }>(params.discovery).type, 64),
  };
}
