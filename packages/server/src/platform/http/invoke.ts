import type { AnyEndpoint } from '@yunxun/contract';
import type { Route } from './call.ts';
import { type CallOf, perform } from './pipeline.ts';
import type { HttpOptions } from './server.ts';
import { compileInput } from './validate.ts';

/** Calls from within the program: a feature that keeps a call of another (what undoes a change) makes it here. */
export interface Calls {
  /** The declaration behind a path of a signed-in POST; undefined when there is none. */
  endpoint(path: string): AnyEndpoint | undefined;
  /**
   * Makes the call as a request by the same person would: permission, validation, transaction, objects, handler.
   * @returns the call's `data`
   * @throws Failure, Invalid as the endpoint does; an error for a path that is none
   */
  invoke(path: string, input: unknown, as: Omit<CallOf, 'setToken'>): Promise<unknown>;
}

/** Calls on the given routes, which may come later than whoever makes them: asked when a call is made. */
export function createCalls(options: HttpOptions, routes: () => readonly Route[]): Calls {
  const find = (path: string) =>
    routes().find(({ endpoint }) => endpoint.path === path && endpoint.method === 'POST' && endpoint.access === 'user');
  const checks = new Map<string, (given: unknown) => unknown>();
  return {
    endpoint: (path) => find(path)?.endpoint,
    async invoke(path, input, as) {
      const route = find(path);
      if (!route) throw new Error(`no endpoint to call at ${path}`);
      const check = checks.get(path) ?? compileInput(route.endpoint.body);
      checks.set(path, check);
      const setToken = () => {
        throw new Error(`${path} signs in, which only a request can do`);
      };
      return perform(options, route, check, input, { ...as, setToken });
    },
  };
}
