import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { install } from '../../app/i18n.ts';
import { en } from '../../messages/all.ts';
import { DeviceDrawing, drawingText } from './device-drawing.tsx';
import { drawnKinds } from './glyphs.ts';
import type { DrawnPort } from './ports.ts';

beforeAll(() => install('en', en));

const ports: DrawnPort[] = [
  { name: 'Ethernet0', uplink: true, up: true, speed: 10_000, watts: null },
  { name: 'Ethernet1', uplink: false, up: true, speed: 100, watts: 6.5 },
  { name: 'Ethernet2', uplink: false, up: false, speed: null, watts: null },
];

test('says in words what it shows', () => {
  const label = drawingText('Switch 24P', ports);
  expect(label).toBe('Switch 24P: 2 of 3 ports connected · 1 slower than 1 Gbit/s · 1 port gives power');
  expect(drawingText('Switch 24P', [])).toBe('Switch 24P');
  const html = renderToStaticMarkup(<DeviceDrawing kind="switch" size="large" ports={ports} label={label} />);
  expect(html).toContain(`role="img" aria-label="${label}"`);
});

test('beside a name it is decoration', () => {
  expect(renderToStaticMarkup(<DeviceDrawing kind="ap" size={24} />)).toContain('aria-hidden="true"');
});

test('takes every colour from a token, and its light from the state of the device', () => {
  const html = drawnKinds
    .flatMap((kind) => ([16, 24, 48, 'large'] as const).map((size) => ({ kind, size })))
    .map((each) => renderToStaticMarkup(<DeviceDrawing {...each} ports={ports} status="offline" />))
    .join('');
  const colours = new Set([...html.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, value]) => value));
  expect([...colours].filter((value) => value !== 'none' && !/^var\(--[a-z0-9-]+\)$/.test(value!))).toEqual([]);
  expect(colours).toContain('var(--bad)');
});
