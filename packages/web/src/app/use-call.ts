import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyError } from '../ui/toast.tsx';
import type { ApiPath, Data, Input } from './api.ts';
import { call } from './client.ts';
import { sentOnce } from './sent-once.ts';

/** Reads an endpoint into the cache under `[path, input]`, the key that live facts invalidate by. */
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
 * A write: shows what went wrong unless `quiet`, and makes the named answers old. What is sent again before its answer has
 * been taken over, as by a double click, is the same write.
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
