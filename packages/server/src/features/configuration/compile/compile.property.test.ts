import { configuration } from '@yunxun/contract';
import { asTexts, type Capabilities, isInt32 } from '@yunxun/contract/device';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../../tools/property-runs.ts';
import { findSchemaErrors } from '../schema/check.ts';
import { diff } from './diff.ts';
import { compile, fingerprint, maySend, type UcentralDocument, withUuid } from './index.ts';
import type { CompileInput } from './intent.ts';
import { maskSecrets } from './mask.ts';
import { bandsOfDevice } from './radio-facts.ts';
import { applyChanges } from './testing/apply-changes.ts';
import { anyInput, anyPortRules } from './testing/arbitraries.ts';

const options = runs(80, 400);

function platformOf({ device }: CompileInput): 'ap' | 'olg' | 'switch' {
  const platform = device.capabilities?.platform ?? device.kind;
  return platform === 'switch' ? 'switch' : device.capabilities?.platform === 'olg' ? 'olg' : 'ap';
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) freeze(inner);
  return value;
}

function portsOf({ ethernet = [], interfaces }: UcentralDocument) {
  const found = new Map<string, { enabled: unknown; poe: unknown; untagged: number[] }>();
  for (const { 'select-ports': ports, enabled, poe } of ethernet)
    for (const port of asTexts(ports)) found.set(port, { enabled, poe, untagged: [] });
  for (const { vlan, ethernet: members = [] } of interfaces)
    for (const member of members)
      if (member['vlan-tag'] === 'un-tagged')
        for (const port of member['select-ports']) found.get(port)?.untagged.push(vlan?.id ?? 0);
  return found;
}

describe('rules for ports of any switch', () => {
  const anySwitch = fc.tuple(anyInput, anyPortRules).map(([input, ports]): CompileInput => {
    const { general, device, override } = input;
    return {
      ...input,
      general: { ...general!, ports },
      override: { ...override, ports: [] },
      device: { ...device, kind: 'switch' as const, capabilities: { platform: 'switch' } },
    };
  });

  it('never take an uplink out of service or out of VLAN 1, and no port at all while no uplink is known', () => {
    fc.assert(
      fc.property(anySwitch, (input) => {
        const given = compile(input);
        const ports = portsOf(given.document);
        const known = input.device.ports!.some(({ uplink }) => uplink);
        for (const { name, uplink, poe } of input.device.ports!.filter(({ uplink }) => uplink || !known))
          expect([uplink, ports.get(name)]).toMatchObject([
            uplink,
            { enabled: true, untagged: [1], ...(poe && { poe: { 'admin-mode': true } }) },
          ]);
      }),
      options,
    );
  });

  it('apply the last rule of a port, and name each port that keeps the default', () => {
    fc.assert(
      fc.property(anySwitch, (input) => {
        const given = compile(input);
        const ports = portsOf(given.document);
        const named = given.findings
          .filter(({ code }) => code === 'port_uplink_kept' || code === 'port_uplink_unknown')
          .flatMap(({ params }) => String(params.ports).split(', '));
        for (const { name } of input.device.ports!) {
          const rule = input.general!.ports!.findLast(({ ports: range }) => isIn(range, Number(name.slice(8))));
          const wanted = rule && !named.includes(name) ? rule : { enabled: true, vlan: 1 };
          expect([name, ports.get(name)]).toMatchObject([name, { enabled: wanted.enabled, untagged: [wanted.vlan] }]);
        }
      }),
      options,
    );
  });

  it('change nothing on any other device', () => {
    fc.assert(
      fc.property(anyInput, anyPortRules, (input, ports) => {
        fc.pre(platformOf(input) !== 'switch');
        const general = { ...input.general!, ports: null };
        expect(compile({ ...input, general: { ...general, ports } })).toEqual(compile({ ...input, general }));
      }),
      options,
    );
  });
});

function isIn(range: string, number: number): boolean {
  return range.split(',').some((part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    return from <= number && number <= to;
  });
}

describe('compiling any intent for any device', () => {
  it('gives a document that our schema takes, with an upstream interface, whatever the device says of itself', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { document, findings } = compile(input);
        expect(findSchemaErrors(document, platformOf(input))).toEqual([]);
        expect(findings.filter(({ code }) => code === 'not_valid')).toEqual([]);
        expect(document.interfaces.some(({ role }) => role === 'upstream')).toBe(true);
        expect(document.metrics).toHaveProperty('statistics');
      }),
      options,
    );
  });

  it('changes nothing it was given and gives the same bytes for the same intent, in whatever order its keys come', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const first = compile(freeze(input));
        const second = compile(reversed(structuredClone(input)) as CompileInput);
        expect(JSON.stringify(second.document)).toBe(JSON.stringify(first.document));
        expect(fingerprint(second.document)).toBe(fingerprint(first.document));
        expect(diff(first.document, second.document)).toEqual([]);
      }),
      options,
    );
  });

  it('never names a band that the device has no radio for, nor more SSIDs on one than it carries', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { document } = compile(input);
        const has: ReadonlySet<string> = bandsOfDevice(
          platformOf(input) === 'switch' ? null : input.device.capabilities,
        );
        for (const { band } of document.radios ?? []) expect(has.has(band.slice(0, 2))).toBe(true);
        const used = document.interfaces.flatMap(({ ssids }) => ssids ?? []).flatMap((ssid) => ssid['wifi-bands']);
        for (const band of used) expect(has.has(band)).toBe(true);
        for (const band of has) {
          expect(used.filter((other) => other === band).length).toBeLessThanOrEqual(
            configuration.configurationLimits.ssidsPerBand,
          );
        }
      }),
      options,
    );
  });

  it('says of every SSID that is meant to be sent out and is not, why', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { document, findings } = compile(input);
        if (platformOf(input) === 'switch') return;
        const sent = new Set(document.interfaces.flatMap(({ ssids }) => (ssids ?? []).map(({ name }) => name)));
        for (const [index, ssid] of input.network.ssids.entries()) {
          if (!ssid.enabled || input.override.ssids_off.includes(ssid.id)) expect(sent.has(ssid.name)).toBe(false);
          else if (!sent.has(ssid.name)) expect(findings.some(({ field }) => field === `ssids.${index}`)).toBe(true);
        }
      }),
      options,
    );
  });

  it('gates one interface, sends no chosen SSID without its gate, and no secret of it is shown', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { document } = compile(input);
        const chosen = new Set(input.gate?.ssids.map(({ id }) => id));
        const names = new Set(input.network.ssids.flatMap(({ id, name }) => (chosen.has(id) ? [name] : [])));
        const gatedIn = document.interfaces.map(({ ssids = [] }) => ssids.filter(({ services }) => services));
        expect(gatedIn.filter((ssids) => ssids.length > 0).length).toBeLessThanOrEqual(1);
        expect(document.services?.captive !== undefined).toBe(gatedIn.flat().length > 0);
        for (const ssid of document.interfaces.flatMap(({ ssids = [] }) => ssids))
          expect(ssid.services !== undefined).toBe(names.has(ssid.name) && platformOf(input) === 'ap');
        expect(JSON.stringify(maskSecrets(document))).not.toContain('between-console-and-');
      }),
      options,
    );
  });

  it('has no number of its own and takes the one it is given, in first place', () => {
    fc.assert(
      fc.property(anyInput, fc.integer({ min: 2, max: 2_147_483_647 }), (input, uuid) => {
        const { document } = compile(input);
        expect(document).not.toHaveProperty('uuid');
        const numbered = withUuid(document, uuid);
        expect(numbered.uuid).toBe(uuid);
        expect(isInt32(numbered.uuid)).toBe(true);
        expect(findSchemaErrors(numbered, platformOf(input))).toEqual([]);
        expect(findSchemaErrors({ ...numbered, uuid: 2 ** 31 }, platformOf(input))).not.toEqual([]);
      }),
      options,
    );
  });

  it('shows no key: not in a difference, not in a masked document, not in a finding', () => {
    fc.assert(
      fc.property(anyInput, anyInput, (one, other) => {
        const [a, b] = [compile(one), compile(other)];
        const shown = JSON.stringify([
          diff(a.document, b.document),
          diff(null, a.document),
          diff(b.document, null),
          maskSecrets(a.document),
          a.findings,
        ]);
        for (const { key } of [...one.network.ssids, ...other.network.ssids]) if (key) expect(shown).not.toContain(key);
      }),
      options,
    );
  });

  it('finds a difference exactly where the documents differ', () => {
    fc.assert(
      fc.property(anyInput, anyInput, (one, other) => {
        const [a, b] = [compile(one).document, compile(other).document];
        expect(diff(a, b).length === 0).toBe(fingerprint(a) === fingerprint(b));
      }),
      options,
    );
  });

  it('says all of a difference: a document to which it is applied is the other one', () => {
    fc.assert(
      fc.property(anyInput, anyInput, (one, other) => {
        const [a, b] = [maskSecrets(compile(one).document), maskSecrets(compile(other).document)];
        expect(diff(applyChanges(a, diff(a, b)), b)).toEqual([]);
        expect(applyChanges(a, diff(a, a))).toEqual(a);
      }),
      options,
    );
  });

  it('gives a gateway on our own agent a document that it takes, whatever it says of itself', () => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom('WAN1', 'WAN2', 'LAN1', 'x'), fc.jsonValue()),
    );
    fc.assert(
      fc.property(anyInput, anything, (input, network) => {
        const capabilities = { platform: 'olg', network, yunxun: {} } as unknown as Capabilities;
        const device = { ...input.device, kind: 'gateway' as const, capabilities };
        const { document, findings } = compile({ ...input, device });
        expect(findSchemaErrors(document, 'edge')).toEqual([]);
        expect(findings.filter(({ severity }) => severity === 'wrong')).toEqual([]);
        for (const [index, { enabled, id }] of input.network.ssids.entries())
          expect(findings.some(({ field }) => field === `ssids.${index}`)).toBe(
            enabled && !input.override.ssids_off.includes(id),
          );
      }),
      options,
    );
  });

  it('refuses only for a reason', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const compiled = compile(input);
        const wrong = compiled.findings.filter(({ severity }) => severity === 'wrong').map(({ code }) => code);
        expect(maySend(compiled)).toBe(wrong.length === 0);
        for (const code of wrong) expect(['lan_overlap', 'too_large']).toContain(code);
      }),
      options,
    );
  });
});
