import { expect, test } from 'vitest';
import { fileNameOf } from './upload.ts';

test('a file is named so that an address takes it', () => {
  expect(fileNameOf('eap102-v5.2.0.bin')).toBe('eap102-v5.2.0.bin');
  expect(fileNameOf('固件 (1).bin')).toBe('1_.bin');
  expect(fileNameOf('..')).toBe('image.bin');
  expect(fileNameOf(`${'a'.repeat(150)}.bin`)).toHaveLength(100);
});
