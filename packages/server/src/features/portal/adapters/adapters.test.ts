import { portal } from '@yunxun/contract';
import { expect, it } from 'vitest';
import { adapters, gatewayPaths, reportingBy } from './index.ts';

it('has an adapter for every gateway', () => {
  const { uam: _adapter, ...rest } = adapters;
  // @ts-expect-error a gateway that no guest can arrive from
  const incomplete: typeof adapters = rest;
  expect(Object.keys(incomplete)).not.toContain('uam');
  expect(Object.keys(adapters)).toEqual([...portal.portalGateways]);
});

it('derives addresses and reports from the adapters', () => {
  expect(gatewayPaths()).toEqual(['edge', 'fas', 'uam', 'mikrotik']);
  expect(reportingBy('accounting')).toEqual(['uam', 'mikrotik']);
  expect(reportingBy('polling')).toEqual(['opennds_3', 'opennds_4']);
});
