import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyError } from '../ui/toast.tsx';
import type { ApiPath, Data, Input } from './api.ts';
import { call } from './client.ts';
import { sentOnce } from './sent-once.ts';

/** Queries an endpoint under the key `[path, input]`, by which live facts invalidate. */
export function useRead<P extends ApiPath>(
  path: P,
  input: Input<P>,
  options: { enabled?: boolean; keepPrevious?: boolean; refetchMs?: number | false } = {},
) {
  return useQuery<Data<P>>({
    queryKey: [path, input],
    queryFn: ({ signal }) => call(path, input, { signal }),
    enabled: options.enabled ?? true,
    refetchInterval: options.refetchMs ?? false,
    ...(options.keepPrevious ? { placeholderData: keepPreviousData as never } : {}),
  });
}

/**
 * Mutation: shows errors unless `quiet`, and invalidates the `refresh` queries. Identical calls, as by a double click,
 * are sent once until the answer is processed.
 */
export function useWrite<P extends ApiPath>(path: P, refresh: readonly ApiPath[], options: { quiet?: boolean } = {}) {
  const client = useQueryClient();
  const [once] = useState(() => sentOnce((input: Input<P>) => call(path, input)));
  return useMutation<Data<P>, unknown, Input<P>>({
    mutationFn: once.send,
    onSettled: (_data, _error, input) => once.taken(input),
    onError: (error) => {
      if (!options.quiet) notifyError(error);
    },
    onSuccess: () => client.invalidateQueries({ predicate: (query) => refresh.includes(query.queryKey[0] as ApiPath) }),
  });
}
