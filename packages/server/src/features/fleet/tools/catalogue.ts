import type { fleetTools as contract, InputOf } from '@yunxun/contract';
import { fleetTools } from '@yunxun/contract';
import { invalid } from '../../../platform/failure.ts';
import { versionOf } from '../agent-upgrade.ts';
import type { DeviceRecord } from '../device-store.ts';

export type ToolName = contract.ToolName;
export type ToolArguments = contract.ToolArguments;
type Asked = Omit<InputOf<typeof contract.toolRun>, 'serial'>;
type Gate = (typeof fleetTools.toolGates)[number];

/** Seconds that a script may take. */
export const scriptSeconds = { ping: 45, traceroute: 90, bundle: 300 } as const;
/** Bytes of each packet that a capture keeps: headers, and the beginning of what follows. */
export const snaplen = 512;

/** Names of the tools. */
export const toolNames = fleetTools.toolNames;

/**
 * Why a device does not have a tool; null when it has. Switches say Success to commands that they ignore
 * (device-protocol.md 1.5), so that nobody would notice; our own agent has no radios and no lights, and makes no bundles.
 */
export function gateOf(tool: ToolName, device: Pick<DeviceRecord, 'kind' | 'platform' | 'firmware'>): Gate | null {
  const agent = versionOf(device) !== null;
  if (tool === 'ping' || tool === 'traceroute') return null;
  if (tool === 'trace') return device.platform === 'switch' || device.kind === 'switch' ? 'firmware' : null;
  if (agent) return tool === 'wifiscan' ? 'no_radio' : 'firmware';
  if (device.platform !== 'ap') return tool === 'bundle' ? null : tool === 'wifiscan' ? 'no_radio' : 'firmware';
  return null;
}

/** What a tool is used with: its own arguments only, with what is usual for those that are missing. @throws Invalid */
export function argumentsOf(asked: Asked): ToolArguments {
  switch (asked.tool) {
    case 'ping':
      return { target: asked.target ?? invalid('target', 'validation.required'), count: asked.count ?? 5 };
    case 'traceroute':
      return { target: asked.target ?? invalid('target', 'validation.required') };
    case 'trace': {
      const { max } = fleetTools.toolLimits.traceSeconds;
      const seconds = asked.seconds ?? 30;
      if (seconds > max) invalid('seconds', 'validation.max', { max });
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

/** The script of a tool that is one. The target was checked: nothing of it is an option or is acted on by a shell. */
export function scriptOf(tool: 'ping' | 'traceroute', { target, count }: ToolArguments): string {
  return tool === 'ping'
    ? `#!/bin/sh\nping -c ${count ?? 5} -W 2 ${target} 2>&1\n`
    : `#!/bin/sh\ntraceroute -n -q 1 -w 2 -m 20 ${target} 2>&1\n`;
}
