import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contrast, styleSheet, textOn } from './style.ts';

it('chooses black or white by contrast', () => {
  expect(textOn('#ffffff')).toEqual({ text: '#000000', ratio: 21 });
  expect(textOn('#000000')).toEqual({ text: '#ffffff', ratio: 21 });
  expect(textOn('#1264d8').text).toBe('#ffffff');
});

it('is readable on every colour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
      expect(textOn(`#${value.toString(16).padStart(6, '0')}`).ratio).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

it('outlines controls in a colour that is seen on light and dark pages', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), fc.constantFrom('light', 'dark'), (value, scheme) => {
      const colour = `#${value.toString(16).padStart(6, '0')}`;
      const css = styleSheet({ colour, background: null, scheme });
      const of = (name: string) => new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(css)![1]!;
      expect(contrast(of('edge'), of('card'))).toBeGreaterThanOrEqual(3);
    }),
  );
});

it('takes no background from another origin, nor one that ends the address', () => {
  for (const place of ['document', 'shadow'] as const) {
    const css = (background: string) => styleSheet({ colour: '#1264d8', background, place });
    expect(css('/p/site/picture/1')).toContain('url("/p/site/picture/1")');
    for (const wrong of ['https://example.org/a', '//example/a', '/a")', 'data:image/png;base64,AA', ''])
      expect(css(wrong)).not.toContain('url(');
  }
});
