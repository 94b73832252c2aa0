import { grantable, rolePermissions } from '@yunxun/contract/permissions';
import { expect, test } from 'vitest';
import { presetOf, presets, toggled } from './permissions-field.tsx';

test('presets contain delegable permissions, and are recognised by the selection', () => {
  for (const preset of Object.values(presets)) expect(preset.every((one) => grantable.includes(one))).toBe(true);
  expect([...presets.operate].sort()).toEqual([...rolePermissions.operator].sort());
  expect(presetOf([...presets.operate].reverse())).toBe('operate');
  expect(presetOf(grantable)).toBe('manage');
  expect(presetOf(['network.read'])).toBe('own');
});

test('includes the read permission of every write permission', () => {
  expect(toggled([], 'config.write')).toEqual(['config.read', 'config.write']);
  expect(toggled(['network.read', 'config.read', 'config.write'], 'config.read')).toEqual(['network.read']);
  expect(toggled(['config.read', 'config.write'], 'config.write')).toEqual(['config.read']);
});
