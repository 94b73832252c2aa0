import { grantable, rolePermissions } from '@yunxun/contract/permissions';
import { expect, test } from 'vitest';
import { presetOf, presets, toggled } from './permissions-field.tsx';

test('presets are of what can be hosted, and told by what is ticked', () => {
  for (const preset of Object.values(presets)) expect(preset.every((one) => grantable.includes(one))).toBe(true);
  expect([...presets.operate].sort()).toEqual([...rolePermissions.operator].sort());
  expect(presetOf([...presets.operate].reverse())).toBe('operate');
  expect(presetOf(grantable)).toBe('manage');
  expect(presetOf(['network.read'])).toBe('own');
});

test('whoever changes something sees it', () => {
  expect(toggled([], 'config.write')).toEqual(['config.read', 'config.write']);
  expect(toggled(['network.read', 'config.read', 'config.write'], 'config.read')).toEqual(['network.read']);
  expect(toggled(['config.read', 'config.write'], 'config.write')).toEqual(['config.read']);
});
