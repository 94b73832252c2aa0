import { expect, test } from 'vitest';
import { maskEmail, maskMobile } from './mask.ts';

test('enough to recognise, too little to write to', () => {
  expect(maskMobile('13800138000')).toBe('138****8000');
  expect(maskEmail('li.lei@example.org')).toBe('l***@example.org');
});
