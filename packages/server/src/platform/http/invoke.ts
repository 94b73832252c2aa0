import type { AnyEndpoint } from '@yunxun/contract';
import type { Route } from './call.ts';
import type { HttpOptions } from './http-options.ts';
import { type CallOf, perform } from './pipeline.ts';
import { compileInput } from './validate.ts';

/** Undo calls endpoints of other features. */
export interface Calls {
  endpoint(path: string): AnyEndpoint | undefined;
  /**
   * Runs like a request of that person.
   * @throws Failure, Invalid; an error for an unknown path
   */
  invoke(path: string, input: unknown, as: Omit<CallOf, 'setToken'>): Promise<unknown>;
}

export function createCalls(options: HttpOptions, routes: () => readonly Route[]): Calls {
  const find = (path: string) =>
    routes().find(({ endpoint }) => endpoint.path === path && endpoint.method === 'POST' && endpoint.access === 'user');
  const checks = new Map<string, (given: unknown) => unknown>();
  return {
    endpoint: (path) => find(path)?.endpoint,
    async invoke(path, input, as) {
      const route = find(path);
      if (!route) throw new Error(`no endpoint to call at ${path}`);
      // stored input may have removed fields
      const check = checks.get(path) ?? compileInput(route.endpoint.body, 'ignored');
      checks.set(path, check);
      const setToken = () => {
        throw new Error(`${path} signs in, which only a request can do`);
      };
      return perform(options, route, check, input, { ...as, setToken });
    },
  };
}
