import type { fleetTools as contract, InputOf } from '@yunxun/contract';
import { fleetTools } from '@yunxun/contract';
import { asRecord, type Capabilities, type EdgeCapabilities } from '@yunxun/contract/device';
import { invalid } from '../../../platform/failure.ts';
import type { DeviceRecord } from '../device-store.ts';
import { versionOf } from '../restarts/agent-upgrade.ts';

export type ToolName = contract.ToolName;
export type ToolArguments = contract.ToolArguments;
export type Asked = Omit<InputOf<typeof contract.toolRun>, 'serial' | 'tool'> & { tool: ToolName };
type Gate = (typeof fleetTools.toolGates)[number];

export const scriptSeconds = { ping: 45, traceroute: 90, bundle: 300 } as const;
/** Bytes: headers and some payload. */
export const snaplen = 512;

export const offeredTools = fleetTools.offeredTools;

/**
 * Returns why a device lacks a tool, or null. Switches report Success for ignored commands (docs/protocol.md);
 * edge agents have no radios, lights or bundles.
 * @param own see `ownToolsOf`
 */
export function gateOf(
  tool: ToolName,
  device: Pick<DeviceRecord, 'kind' | 'platform' | 'firmware'>,
  own: OwnTools = { tools: false, checks: false, iperf: false },
): Gate | null {
  const agent = versionOf(device) !== null;
  const needed = neededOf(tool);
  if (needed !== null) return own[needed] ? null : agent ? 'agent' : 'firmware';
  if (tool === 'ping' || tool === 'traceroute') return null;
  if (isSwitch(device)) return tool === 'bundle' ? null : tool === 'wifiscan' ? 'no_radio' : 'firmware';
  if (tool === 'trace') return null;
  if (agent) return tool === 'wifiscan' ? 'no_radio' : 'firmware';
  if (device.platform !== 'ap') return tool === 'bundle' ? null : tool === 'wifiscan' ? 'no_radio' : 'firmware';
  return null;
}

/** Tools that an agent runs without a script. */
export interface OwnTools {
  tools: boolean;
  checks: boolean;
  iperf: boolean;
}

function neededOf(tool: ToolName): keyof OwnTools | null {
  if (tool === 'dns' || tool === 'speed') return 'tools';
  if (tool === 'throughput') return 'iperf';
  return tool === 'tcp_check' || tool === 'http_check' ? 'checks' : null;
}

export function ownToolsOf(capabilities: unknown): OwnTools {
  const { yunxun } = asRecord<Capabilities>(capabilities);
  const abilities = asRecord<EdgeCapabilities['abilities']>(asRecord<EdgeCapabilities>(yunxun).abilities);
  return { tools: abilities.tools === true, checks: abilities.checks === true, iperf: abilities.iperf === true };
}

export function uplinksOf(capabilities: unknown): string[] {
  const names = Object.keys(asRecord<Capabilities>(capabilities).network ?? {}).filter((name) =>
    /^WAN\d{0,2}$/.test(name),
  );
  return names.toSorted((a, b) => Number(a.slice(3)) - Number(b.slice(3)));
}

/** Selects arguments and fills defaults. @throws Invalid */
export function argumentsOf(asked: Asked, own: OwnTools): ToolArguments {
  // scripts cannot choose a WAN
  const placed: ToolArguments = asked.place && own.tools ? { place: asked.place } : {};
  const aimed = () => ({ target: asked.target ?? invalid('target', 'validation.required'), ...placed });
  switch (asked.tool) {
    case 'ping':
      return { ...aimed(), count: asked.count ?? 5 };
    case 'traceroute':
      return aimed();
    case 'dns':
      return { ...aimed(), ...(asked.server ? { server: asked.server } : {}) };
    case 'tcp_check':
      return { ...aimed(), port: asked.port ?? invalid('port', 'validation.required') };
    case 'http_check':
      return { url: asked.url ?? invalid('url', 'validation.required'), ...placed };
    case 'throughput':
      return { ...aimed(), seconds: asked.seconds ?? 5 };
    case 'speed':
      return placed;
    case 'trace': {
      const { max } = fleetTools.toolLimits.traceSeconds;
      const seconds = asked.seconds ?? 30;
      if (seconds > max) invalid('seconds', 'validation.maxValue', { max });
      return {
        ...(asked.place ? { place: asked.place } : {}),
        ...(asked.filter?.trim() ? { filter: asked.filter.trim() } : {}),
        packets: asked.packets ?? 10_000,
        seconds,
      };
    }
    case 'leds':
      return { pattern: asked.pattern ?? 'blink', seconds: asked.seconds ?? 60 };
    default:
      return {};
  }
}

/** The open switch client has no shell: it runs only lines with `ping`, `nslookup` or `traceroute`. */
export function isSwitch({ kind, platform }: Pick<DeviceRecord, 'kind' | 'platform'>): boolean {
  return kind === 'switch' || platform === 'switch';
}

/** Builds a script; the checked target has no options or shell syntax. Switches split words and lack redirections. */
export function scriptOf(
  tool: 'ping' | 'traceroute',
  { target, count }: ToolArguments,
  device: Pick<DeviceRecord, 'kind' | 'platform'>,
): string {
  const line = tool === 'ping' ? `ping -c ${count ?? 5} -W 2 ${target}` : `traceroute -n -q 1 -w 2 -m 20 ${target}`;
  return isSwitch(device) ? `${line}\n` : `#!/bin/sh\n${line} 2>&1\n`;
}
