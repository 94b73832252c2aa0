import { useCallback, useMemo } from 'react';
import { preferences } from '../../app/preferences.ts';
import { oneOf, type Search, useSearch } from '../../app/search.ts';
import type { Filter } from './columns.ts';

export const pageSizes = [10, 20, 50] as const;

export interface ListState {
  page: number;
  limit: number;
  sort?: string;
  order?: 'asc' | 'desc';
  keyword?: string;
  filters: Readonly<Record<string, string>>;
  odd: readonly string[];
}

/** Reads the address. Ignores unknown values, except of strict filters. */
export function readListState(search: Search, filters: readonly Filter[], sorts: readonly string[]): ListState {
  const page = Number(search.page);
  const limit = oneOf(search.limit, pageSizes.map(String));
  const sort = oneOf(search.sort, sorts);
  const chosen: Record<string, string> = {};
  const odd: string[] = [];
  for (const filter of filters) {
    const value = oneOf(
      search[filter.name],
      filter.options.map((option) => option.value),
    );
    if (value !== undefined) chosen[filter.name] = value;
    else if (filter.strict && search[filter.name]) odd.push(filter.label);
  }
  return {
    page: Number.isInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
    limit: limit ? Number(limit) : preferences().pageSize,
    ...(sort ? { sort, order: search.order === 'desc' ? 'desc' : 'asc' } : {}),
    ...(search.keyword ? { keyword: search.keyword.slice(0, 100) } : {}),
    filters: chosen,
    odd,
  };
}

/** Resets the page on every change except paging. */
export function useListState(filters: readonly Filter[], sorts: readonly string[]) {
  const [search, change] = useSearch();
  const state = useMemo(() => readListState(search, filters, sorts), [search, filters, sorts]);
  const toPage = useCallback((page: number) => change({ page: page === 1 ? undefined : page }, true), [change]);
  return {
    state,
    toPage,
    toLimit: (limit: number) =>
      change({ page: undefined, limit: limit === preferences().pageSize ? undefined : limit }),
    toKeyword: (keyword: string) => change({ page: undefined, keyword }),
    toFilter: (name: string, value: string | undefined) => change({ page: undefined, [name]: value }),
    toSort: (sort: string) => {
      const again = state.sort === sort;
      if (again && state.order === 'desc') change({ page: undefined, sort: undefined, order: undefined });
      else change({ page: undefined, sort, order: again ? 'desc' : undefined });
    },
    clear: () =>
      change({
        page: undefined,
        keyword: undefined,
        ...Object.fromEntries(filters.map((filter) => [filter.name, undefined])),
      }),
    narrowed: state.keyword !== undefined || Object.keys(state.filters).length > 0 || state.odd.length > 0,
  };
}
