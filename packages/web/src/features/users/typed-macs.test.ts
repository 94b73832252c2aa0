import { expect, test } from 'vitest';
import { typedMacs } from './typed-macs.ts';

test('MAC addresses are read as labels and tables write them, each once', () => {
  expect(typedMacs('00:1A:2b:3c:4d:5e, 001a.2b3c.4d5f；00-1A-2B-3C-4D-5E\n001a2b3c4d60')).toEqual({
    macs: ['001a2b3c4d5e', '001a2b3c4d5f', '001a2b3c4d60'],
    wrong: [],
  });
});

test('what is no MAC address is named, and nothing else is lost by it', () => {
  expect(typedMacs('printer 00:1a:2b:3c:4d 001a2b3c4d5e')).toEqual({
    macs: ['001a2b3c4d5e'],
    wrong: ['printer', '00:1a:2b:3c:4d'],
  });
  expect(typedMacs(' \n')).toEqual({ macs: [], wrong: [] });
});
