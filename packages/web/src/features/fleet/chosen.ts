import type { Input } from '../../app/api.ts';
import type { Selection } from '../../ui/table/columns.ts';

type ChosenNetworks = Pick<Input<'/api/v3/network/chosen'>, 'gwids' | 'all'>;
type ChosenDevices = Pick<Input<'/api/v3/ap/chosen'>, 'serials' | 'all'>;

export function chosenNetworks({ keys, query, count }: Omit<Selection<unknown>, 'rows'>): ChosenNetworks {
  return query ? { all: { ...query, total: count } } : { gwids: [...keys] };
}

export function chosenDevices({ keys, query, count }: Omit<Selection<unknown>, 'rows'>): ChosenDevices {
  return query ? { all: { ...query, total: count } } : { serials: [...keys] };
}

export const only = (...keys: readonly string[]) => ({ keys, query: null, count: keys.length });
