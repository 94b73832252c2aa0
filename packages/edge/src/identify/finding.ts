import type { EdgeScanFinding } from '@yunxun/contract/device';
import { edgeScanLimits } from '@yunxun/contract/device';

export type Finding = EdgeScanFinding;

export function shortText(text: string | null | undefined): string | null {
  const line = (text ?? '')
    .slice(0, 1024)
    .replace(/[\p{C}\s\ufffd]+/gu, ' ')
    .trim();
  return [...line].slice(0, edgeScanLimits.text).join('').trim() || null;
}

export function joinFindings(first: Finding | undefined, next: Finding): Finding {
  if (!first) return next;
  return {
    by: first.by,
    type: first.type ?? next.type,
    name: first.name ?? next.name,
    model: first.model ?? next.model,
  };
}
