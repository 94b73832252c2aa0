import { type Capabilities, type EdgeShield, edgeLimits } from '@yunxun/contract/device';
import type { Compiled } from './compile/index.ts';

/** Agents without a shield would refuse the document. */
export function withShield(compiled: Compiled, shield: EdgeShield | null, capabilities: Capabilities | null): Compiled {
  if (shield === null || capabilities?.yunxun?.abilities?.shield !== true) return compiled;
  const { document } = compiled;
  const thirdParty = document['third-party'];
  const yunxun = { confirm_s: edgeLimits.confirm.otherwise, ...thirdParty?.yunxun, shield };
  return { ...compiled, document: { ...document, 'third-party': { ...thirdParty, yunxun } } };
}
