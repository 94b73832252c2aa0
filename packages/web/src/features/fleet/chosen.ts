import type { Input } from '../../app/api.ts';
import type { Selection } from '../../ui/table/columns.ts';

type ChosenNetworks = Pick<Input<'/api/v3/network/chosen'>, 'gwids' | 'all'>;
type ChosenDevices = Pick<Input<'/api/v3/ap/chosen'>, 'serials' | 'all'>;

/** The selected networks for a call: their ids, or the list that they are every result of. */
export function chosenNetworks({ keys, query, count }: Omit<Selection<unknown>, 'rows'>): ChosenNetworks {
  return query ? { all: { ...query, total: count } } : { gwids: [...keys] };
}

/** The selected devices for a call, as `chosenNetworks`. */
export function chosenDevices({ keys, query, count }: Omit<Selection<unknown>, 'rows'>): ChosenDevices {
  return query ? { all: { ...query, total: count } } : { serials: [...keys] };
}

/** Of single networks or devices. */
export const only = (...keys: readonly string[]) => ({ keys, query: null, count: keys.length });
