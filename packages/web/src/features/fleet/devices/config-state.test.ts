import { expect, test } from 'vitest';
import { configState } from './config-state.ts';

test('a device that the settings of its network have not reached waits for them', () => {
  expect(configState({ sync_state: null, status: 'online' }, true)).toBe('pending');
  expect(configState({ sync_state: null, status: 'online' }, false)).toBeNull();
  expect(configState({ sync_state: null, status: 'never_connected' }, true)).toBeNull();
  expect(configState({ sync_state: 'failed', status: 'online' }, true)).toBe('failed');
});
