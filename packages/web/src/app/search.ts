import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Search parameters as plain text, so that a keyword `0012` stays `0012`. */
export type Search = Readonly<Record<string, string>>;

/** Parses `?a=b` without guessing numbers or JSON. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(key, String(value));
  }
  const text = parameters.toString();
  return text ? `?${text}` : '';
}

export function useSearch(): [Search, (change: Record<string, string | number | undefined>, push?: boolean) => void] {
  const search = useRouterState({ select: (state) => state.location.search as Search });
  const navigate = useNavigate();
  const change = useCallback(
    (part: Record<string, string | number | undefined>, push = false) => {
      void navigate({ to: '.', search: ((now: Search) => ({ ...now, ...part })) as never, replace: !push });
    },
    [navigate],
  );
  return [search, change];
}

export function oneOf<const T extends string>(value: string | undefined, words: readonly T[]): T | undefined {
  return words.find((word) => word === value);
}
