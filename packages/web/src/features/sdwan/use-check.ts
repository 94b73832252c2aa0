import { useMemo } from 'react';
import type { Input } from '../../app/api.ts';
import { useRead } from '../../app/use-call.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import type { SdwanType } from './graph-layout.ts';
import type { Mode, PlanNode } from './plan.ts';

export interface Draft {
  name: string;
  type: SdwanType;
  mode: Mode;
  strategy_id: string | null;
  nodes: PlanNode[];
}

/** `isCurrent` false: the answer is of an earlier state. */
export function useCheck({ type, mode, strategy_id, nodes }: Draft, id?: string) {
  const plan = JSON.stringify({ type, mode, strategy_id, nodes, ...(id === undefined ? {} : { id }) });
  const debounced = useDebounced(plan);
  const input = useMemo(() => JSON.parse(debounced) as Input<'/api/v3/sdwan/check'>, [debounced]);
  const { data, error, isPlaceholderData } = useRead('/api/v3/sdwan/check', input, {
    keepPrevious: true,
    enabled: input.nodes.length > 0,
  });
  return { checked: data, error, isCurrent: data !== undefined && !isPlaceholderData && debounced === plan };
}
