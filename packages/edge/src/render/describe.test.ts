import { expect, it } from 'vitest';
import { readDocument } from '../document/index.ts';
import { fullFacts, type JsonObject, replaced, smallDocument } from '../document/testing/documents.ts';
import { describe, emptyPlan, type Plan, render, wanEntries } from './index.ts';

function plan(document: JsonObject): Plan {
  const read = readDocument(document, fullFacts);
  if ('refused' in read) throw new Error(read.refused.join('\n'));
  return render(read.document, fullFacts);
}

const small = plan(smallDocument());

it('says what would change, for people', () => {
  const bigger = replaced(smallDocument(), ['interfaces', 1, 'ipv4', 'subnet'], '192.168.1.2/24');
  const limited = {
    ...bigger,
    'third-party': {
      yunxun: {
        reboot: { days: ['mon', 'sun'], at: '03:30' },
        limits: [{ name: 'all', of: { interface: 'LAN' }, down_kbps: 20_000 }],
      },
    },
  };
  const text = describe(small, plan(limited));
  expect(text).toContain('Addresses\n  - 192.168.1.1/24 on yx-lan\n  + 192.168.1.2/24 on yx-lan\n');
  expect(text).toContain('Rate limits\n  + yx-lan: 1:101 20000 kbit/s\n');
  expect(text).toContain('Restarts\n  + Sunday, Monday at 03:30\n');
  expect(text).toContain('  - dhcp-option=tag:yx-lan,option:router,192.168.1.1\n');
  expect(text).not.toContain('Devices');
  expect(describe(plan(limited), small)).toContain('  - 192.168.1.2/24 on yx-lan\n  + 192.168.1.1/24 on yx-lan\n');
});

it('says nothing where nothing would change', () => {
  expect(describe(small, plan(smallDocument()))).toBe('');
  expect(describe(emptyPlan, emptyPlan)).toBe('');
  expect(describe(null, emptyPlan)).toBe('');
});

it('knows what a line means while it lives and when it is lost', () => {
  const [wan] = small.lines;
  const lease = { address: '198.51.100.7', gateway: '198.51.100.1' };
  const alive = wanEntries(wan!, lease, { alive: true });
  const lost = wanEntries(wan!, lease, { alive: false });
  const own = { to: 'default', via: '198.51.100.1', device: 'eth0', table: 201, metric: 0 };
  expect(alive.routes).toEqual([own, { ...own, table: 254, metric: 10 }]);
  expect(lost.routes).toEqual([own]);
  expect(lost.rules).toEqual([
    { priority: 20_131, from: '198.51.100.7', mark: null, table: 201, suppressDefault: false },
    { priority: 20_151, from: null, oif: 'eth0', mark: null, table: 201, suppressDefault: false },
  ]);
});
