import type { FastifyInstance } from 'fastify';
import type { Route } from './platform/http/call.ts';
import type { HttpOptions, ObjectResolver } from './platform/http/http-options.ts';
import type { Calls } from './platform/http/invoke.ts';
import type { Schedule, Tasks } from './platform/jobs/index.ts';

export interface Feature {
  routes?(calls: Calls): Route[];
  /** Addresses of the console that are not endpoints, such as downloads. */
  mount?(app: FastifyInstance, http: HttpOptions): void;
  /** Resolvers of ids that endpoints name. */
  objects?: Readonly<Record<string, ObjectResolver>>;
  tasks?: Tasks;
  schedules?: readonly Schedule[];
  stop?(): void;
}
