import { configuration, layers as contract, type switches } from '@yunxun/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, fingerprint, ruleFor } from '../compile/index.ts';
import { anyInput, anyIntent, anyPortRules } from '../compile/testing/arbitraries.ts';
import { type Layer, type LayerContent, mergeLayers, noContent } from './merge-layers.ts';

const general = fc.record({
  leds: fc.option(fc.boolean()),
  fast_roaming: fc.option(fc.boolean()),
  neighbour_reports: fc.option(fc.boolean()),
  minimum_rssi: fc.option(fc.constantFrom(0, -80, -70)),
  ports: fc.option(anyPortRules),
});

const content: fc.Arbitrary<LayerContent> = fc.tuple(anyIntent, general).chain(([intent, reported]) =>
  fc.record({
    country: fc.constant(intent.country),
    ssids: fc.constant(intent.ssids),
    radios: fc.constant(intent.radios),
    general: fc.constant(reported),
    locks: fc.subarray([...contract.lockable, ...intent.ssids.map(({ name }) => `ssids.${name}`)]),
  }),
);

const kinds = ['ac', 'wireless', 'network', 'group'] as const;
const anyLayers: fc.Arbitrary<Layer[]> = fc
  .subarray([...kinds])
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map((kind) => content.map((reported): Layer => ({ kind, id: kind, name: kind, content: reported }))),
    ),
  );

type Given = typeof anyInput extends fc.Arbitrary<infer I> ? I : never;
const shaOf = (input: Given, layers: readonly Layer[]) => {
  const { network, override, general: reported } = mergeLayers(layers, input.override);
  return fingerprint(compile({ ...input, network, override, general: reported }).document);
};

describe('layers', () => {
  it('give the same document in whatever order they are read', () => {
    fc.assert(
      fc.property(
        anyInput,
        anyLayers.chain((layers) =>
          fc.tuple(fc.constant(layers), fc.shuffledSubarray(layers, { minLength: layers.length })),
        ),
        (input, [layers, shuffled]) => {
          expect(shaOf(input, shuffled)).toBe(shaOf(input, layers));
        },
      ),
    );
  });

  it('that say nothing change nothing', () => {
    fc.assert(
      fc.property(anyInput, anyLayers, fc.constantFrom(...kinds), (input, layers, kind) => {
        fc.pre(layers.every((layer) => layer.kind !== kind));
        expect(shaOf(input, [...layers, { kind, id: 'x', name: 'x', content: noContent }])).toBe(shaOf(input, layers));
      }),
    );
  });

  it('keep what one of them has locked, whatever is said further down', () => {
    fc.assert(
      fc.property(anyInput, anyLayers, content, (input, layers, changed) => {
        const before = mergeLayers(layers, input.override);
        const deepest = { kind: 'group', id: 'group', name: 'group', content: changed } as const;
        const after = mergeLayers([...layers.filter(({ kind }) => kind !== 'group'), deepest], input.override);
        for (const [path, source] of before.sources) {
          if (!source.locked || source.layer === 'group') continue;
          expect(after.sources.get(path)).toEqual(source);
          if (!path.startsWith('radios.')) continue;
          const [, band, field] = path.split('.') as [string, configuration.Band, 'channel'];
          const textOf = (from: typeof after) => from.network.radios.find((radio) => radio.band === band)?.[field];
          expect(textOf(after)).toBe(textOf(before));
          expect(after.override.radios.find((radio) => radio.band === band)?.[field] ?? null).toBeNull();
        }
      }),
    );
  });

  it('that lock the rules for ports decide on every port that those name; a switch keeps its own name and speed', () => {
    const named = (rules: readonly switches.PortRule[] | null, port: string) =>
      ruleFor(rules ?? [], port) !== undefined;
    fc.assert(
      fc.property(anyInput, anyLayers, (input, layers) => {
        const { override, general: reported, sources } = mergeLayers(layers, input.override);
        const locked = sources.get('general.ports')?.locked ?? false;
        for (const [index, own] of (input.override.ports ?? []).entries()) {
          const { enabled: _enabled, poe: _poe, vlan: _vlan, tagged: _tagged, ...rest } = own;
          expect(override.ports?.[index]).toEqual(locked && named(reported.ports, own.port) ? rest : own);
        }
      }),
    );
  });

  it('say of every value in force where it comes from, and only of those', () => {
    fc.assert(
      fc.property(anyInput, anyLayers, (input, layers) => {
        const { network, override, general: reported, sources } = mergeLayers(layers, input.override);
        const set = new Set<string>();
        if (network.country !== null) set.add('country');
        for (const radio of [...network.radios, ...override.radios])
          for (const field of configuration.radioFields)
            if (radio[field] !== null) set.add(`radios.${radio.band}.${field}`);
        for (const [field, value] of Object.entries(reported)) if (value !== null) set.add(`general.${field}`);
        for (const { id } of network.ssids) set.add(`ssids.${id}`);
        expect([...sources.keys()].toSorted()).toEqual([...set].toSorted());
      }),
    );
  });
});
