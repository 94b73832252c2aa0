import { type EdgeSdwan, edgeLimits } from '@yunxun/contract/device';
import type { Compiled } from './compile/index.ts';

export function withSdwan(compiled: Compiled, sdwan: readonly EdgeSdwan[]): Compiled {
  if (sdwan.length === 0) return compiled;
  const { document } = compiled;
  const thirdParty = document['third-party'];
  const yunxun = { confirm_s: edgeLimits.confirm.otherwise, ...thirdParty?.yunxun, sdwan };
  return { ...compiled, document: { ...document, 'third-party': { ...thirdParty, yunxun } } };
}
