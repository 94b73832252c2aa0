import { expect, it } from 'vitest';
import { blockedBy } from './access-point-fields.tsx';

const ssid = (id: string, vlan: number | null, obstacle: 'captive_keys' | null = null) => ({
  id,
  name: id,
  vlan,
  enabled: true,
  obstacle,
});
const wireless = {
  ssids: [ssid('lobby', 30), ssid('cafe', 30), ssid('staff', null), ssid('rooms', 30, 'captive_keys')],
  access_points: 1,
  unable: [],
};

it('offers SSIDs of the VLAN of the first chosen one, and none whose keys leave their VLAN', () => {
  const blocked = (chosen: string[]) => wireless.ssids.map(({ id }) => blockedBy(wireless, chosen, id));
  expect(blocked([])).toEqual([null, null, null, 'keys']);
  expect(blocked(['lobby'])).toEqual([null, null, 'vlan', 'keys']);
  expect(blocked(['staff'])).toEqual(['vlan', 'vlan', null, 'keys']);
});
