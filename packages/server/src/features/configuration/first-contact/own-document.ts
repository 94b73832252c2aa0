import { asList, asNumber, deviceLimits, isRecord, jsonDepth, unconfiguredUuid } from '@yunxun/contract/device';
import { type DeviceCommands, DeviceError, type DeviceRef, DeviceTimeout } from '../../../uplink/index.ts';
import type { UcentralDocument } from '../compile/index.ts';

const maxBytes = 256 * 1024;
const maxDepth = 32;
const noFile = 3;
const scriptSeconds = 15;

/** Falls back to the newest stored configuration. */
const readScript = `#!/bin/sh
f=/etc/ucentral/ucentral.active
[ -s "$f" ] || f=$(ls /etc/ucentral/ucentral.cfg.* 2>/dev/null | tail -n 1)
[ -s "$f" ] || exit ${noFile}
head -c ${maxBytes + 1} "$f"
`;

/** Catalogue key under `config.contact.reason.`. */
export type Unreadable = 'unreadable' | 'not_valid' | 'other_document' | 'too_large';

/** `reported`: uuid of the state report. @throws DeviceOffline */
export async function readOwnDocument(
  commands: Pick<DeviceCommands, 'script'>,
  device: DeviceRef,
  reported: number | null,
): Promise<UcentralDocument | Unreadable> {
  try {
    const { exitCode, output } = await commands.script(device, 'shell', readScript, scriptSeconds);
    return exitCode === 0 ? parseOwnDocument(output, reported) : 'unreadable';
  } catch (error) {
    if (error instanceof DeviceError || error instanceof DeviceTimeout) return 'unreadable';
    throw error;
  }
}

export function parseOwnDocument(text: string, reported: number | null): UcentralDocument | Unreadable {
  const bytes = Buffer.from(text);
  if (bytes.length > maxBytes) return 'too_large';
  if (jsonDepth(bytes, maxDepth) > maxDepth) return 'not_valid';
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return 'unreadable';
  }
  if (!isRecord(parsed)) return 'unreadable';
  const { uuid, ...document } = parsed;
  if (!looksComplete(document)) return 'not_valid';
  // rejected documents have higher uuids than the running one
  const number = asNumber(uuid) || unconfiguredUuid;
  if (number > deviceLimits.int32 || number !== (reported || unconfiguredUuid)) return 'other_document';
  return document as unknown as UcentralDocument;
}

function looksComplete({ interfaces, radios, metrics }: Record<string, unknown>): boolean {
  const all = asList(interfaces);
  const known = all.every(
    (entry) =>
      isRecord(entry) &&
      ['upstream', 'downstream'].includes(String(entry.role)) &&
      isListOfRecords(entry.ssids) &&
      asList(entry.ssids).every((ssid) => isRecord(ssid) && typeof ssid.name === 'string' && isTexts(ssid)),
  );
  const upstream = all.some((entry) => isRecord(entry) && entry.role === 'upstream');
  return known && upstream && isListOfRecords(radios) && (metrics === undefined || isRecord(metrics));
}

function isListOfRecords(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isRecord));
}

function isTexts({ 'wifi-bands': bands }: Record<string, unknown>): boolean {
  return bands === undefined || (Array.isArray(bands) && bands.every((band) => typeof band === 'string'));
}
