import type { Method } from './method.ts';
import { plain } from './proof.ts';

export const oneClick: Method<'one_click'> = {
  prove: async (_deps, _tx, _attempt, method) => plain(method),
  renews: true,
};
