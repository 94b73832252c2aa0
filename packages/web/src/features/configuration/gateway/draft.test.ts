import { expect, test } from 'vitest';
import { draftOf, type Settings, settingsOf, withLimit } from './draft.ts';

const line: Settings['lines'][number] = {
  ...{ name: 'Fibre', port: 'WAN1', addressing: 'dynamic', address: null, gateway: null },
  ...{ dns: [], down_mbps: null, up_mbps: null, probe: [] },
};
const shop: Settings = {
  ...{ confirm_s: 60, lines: [line], networks: [], forwards: [], routes: [], limits: [], reboot: null },
};

test('who comes from a terminal finds one entry for it, however its MAC is written', () => {
  const { draft, wanted } = withLimit(draftOf(shop), '001A2B3C4D5E');
  expect(draft.limits).toEqual([
    {
      ref: wanted,
      name: '00-1a-2b-3c-4d-5e',
      kind: 'mac',
      target: '00:1a:2b:3c:4d:5e',
      down_mbps: null,
      up_mbps: null,
    },
  ]);
  const limited = draftOf({ ...settingsOf(draft) });
  const again = withLimit(limited, '00:1a:2b:3c:4d:5e');
  expect(again.draft.limits).toHaveLength(1);
  expect(again.wanted).toBe(again.draft.limits[0]?.ref);
});
