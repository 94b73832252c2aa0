import { expect, it } from 'vitest';
import { otherFirewalls } from './others.ts';

const chain = (more: object) => ({
  chain: {
    family: 'ip',
    table: 'filter',
    name: 'FORWARD',
    handle: 1,
    type: 'filter',
    hook: 'forward',
    prio: 0,
    ...more,
  },
});
const seen = (...chains: unknown[]) =>
  otherFirewalls(async (argv) => {
    expect(argv).toEqual(['nft', '-j', 'list', 'chains']);
    return { code: 0, stdout: JSON.stringify({ nftables: [{ metainfo: {} }, ...chains] }), stderr: '' };
  });

it('names foreign chains that drop by default, and what they block', async () => {
  const docker = chain({ policy: 'drop' });
  const ufw = chain({ name: 'INPUT', hook: 'input', policy: 'drop' });
  const own = chain({ family: 'inet', table: 'yunxun', name: 'forward', policy: 'drop' });
  const six = chain({ family: 'ip6', policy: 'drop' });
  const open = chain({ policy: 'accept' });
  expect(await seen(own, docker, ufw, six, open, chain({ hook: undefined }))).toEqual([
    expect.stringMatching(/^\[W\] \(In \/\) .*chain "FORWARD" of ip "filter", hook forward\): .*internet/),
    expect.stringMatching(/^\[W\] \(In \/\) .*chain "INPUT" of ip "filter", hook input\): DHCP/),
  ]);
});

it('takes names as they may be, and says nothing of what cannot be seen', async () => {
  const [one] = await seen(chain({ policy: 'drop', table: 'a"\n\u0007b', name: 'x'.repeat(300) }));
  expect(one).toMatch(/^[\x20-\x7e…]+$/);
  expect(await seen(...Array.from({ length: 50 }, () => chain({ policy: 'drop' })))).toHaveLength(8);
  expect(await seen(null, 7, { chain: [] }, { chain: { hook: 'forward', policy: 'drop' } })).toEqual([]);
  expect(await otherFirewalls(async () => ({ code: 1, stdout: '', stderr: 'Operation not permitted' }))).toEqual([]);
});
