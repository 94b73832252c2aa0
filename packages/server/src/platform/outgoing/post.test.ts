import { expect, it, vi } from 'vitest';
import { postOutgoing } from './post.ts';

vi.mock('node:dns/promises', () => ({ lookup: () => new Promise(() => undefined) }));

it.each([true, false])(
  'gives up on a name server that never answers; private addresses allowed: %s',
  async (allowed) => {
    const limit = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const posted = postOutgoing({ url: 'http://slow.example/', headers: {}, body: '{}', privateAddresses: allowed });
    limit.abort(new DOMException('', 'TimeoutError'));
    await expect(posted).rejects.toMatchObject({ message: 'no_answer', permanent: false });
  },
);
