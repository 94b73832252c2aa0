import { type Capabilities, type EdgeCaptive, edgeLimits } from '@yunxun/contract/device';
import type { Compiled } from './compile/index.ts';

/** Adds captive networks. Agents that cannot capture guests would refuse the document. */
export function withCaptive(
  compiled: Compiled,
  captive: EdgeCaptive | null,
  capabilities: Capabilities | null,
): Compiled {
  if (captive === null || capabilities?.yunxun?.abilities?.captive !== true) return compiled;
  const { document } = compiled;
  const lans = document.interfaces.filter(({ role, ipv4 }) => role === 'downstream' && ipv4?.addressing === 'static');
  const { ranges = [], exempt_ipv6: addresses6, pay, ...plain } = captive;
  const knowsRanges = capabilities.yunxun.abilities.captiveRanges === true;
  // without ranges, clients that need no sign-in would be captured too
  const isWhole = (name: string) => !ranges.some((range) => range.interface === name);
  const interfaces = captive.interfaces
    .filter((name) => lans.some((lan) => lan.name === name))
    .filter((name) => knowsRanges || isWhole(name));
  if (interfaces.length === 0) return compiled;
  const thirdParty = document['third-party'];
  const own = ranges.filter((range) => interfaces.includes(range.interface));
  const section = {
    ...plain,
    interfaces,
    ...(knowsRanges && addresses6 ? { exempt_ipv6: addresses6 } : {}),
    ...(own.length > 0 ? { ranges: own } : {}),
    ...(pay && capabilities.yunxun.abilities.captivePay === true ? { pay } : {}),
  };
  const yunxun = { confirm_s: edgeLimits.confirm.otherwise, ...thirdParty?.yunxun, captive: section };
  return { ...compiled, document: { ...document, 'third-party': { ...thirdParty, yunxun } } };
}
