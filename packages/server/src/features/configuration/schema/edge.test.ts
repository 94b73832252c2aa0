import { edgeDocument } from '@yunxun/contract/device';
import { type Form, formOf, markOf, type ObjectForm } from '@yunxun/contract/grammar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../../tools/property-runs.ts';
import { DocumentErrors } from '../../../../../edge/src/document/errors.ts';
import { readShape } from '../../../../../edge/src/document/reader.ts';
import { findSchemaErrors } from './check.ts';

const examples: Readonly<Record<string, readonly string[]>> = {
  'a port or LAN*': ['WAN1', 'LAN*'],
  'a time of day such as 03:30': ['03:30'],
  'a time of day': ['00:00', '23:59'],
  'the name of an interface': ['sd0d'],
  'a revision': ['a1:b2'],
  'a WireGuard public key': [`${'A'.repeat(42)}A=`],
  'a host': ['vpn.example.com', '192.0.2.1'],
  'a domain': ['example.com'],
  'a SHA-256 sum': ['0f'.repeat(32)],
  'a path': ['/lists/ads'],
  'the address of a page': ['https://portal.example.com/p/a/edge'],
  'a secret': ['s'.repeat(43)],
  'an https address': ['https://portal.example.com/p/a/api'],
  'a time zone': ['Asia/Shanghai'],
  'an IPv6 address': ['2001:db8::1'],
};

function anySent(form: Form): fc.Arbitrary<unknown> {
  switch (form.form) {
    case 'object':
      return anyObject(form);
    case 'list':
      return fc.array(anySent(form.of), { minLength: form.min, maxLength: Math.min(form.max, form.min + 2) });
    case 'integer':
      return fc.integer({ min: form.min, max: form.max });
    case 'flag':
      return fc.boolean();
    case 'word':
    case 'known':
      return fc.constantFrom(...form.words);
    case 'text':
      return fc.constantFrom('a', '网络', 'x'.repeat(form.max));
    case 'pattern':
      return fc.constantFrom(...examples[form.what]!);
    case 'address':
      return fc.constantFrom('192.168.1.1', '0.0.0.0', '255.255.255.255');
    case 'subnet':
      return fc.constantFrom('10.0.0.0/8', '192.168.1.1/32');
    case 'mac':
      return fc.constantFrom('02:00:00:00:00:0a');
    case 'leaseTime':
      return fc.constantFrom('6h', '120s', '365d');
    case 'portRange':
      return fc.constantFrom('1', '8000-8010', '65535');
    case 'unread':
      return anySent(form.of);
  }
}

function anyObject({ keys }: ObjectForm): fc.Arbitrary<unknown> {
  const sent = Object.entries(keys).filter(([, key]) => markOf(key) !== 'unsent');
  const always = sent.filter(([, key]) => markOf(key) !== null).map(([name]) => name);
  const fields = Object.fromEntries(sent.map(([name, key]) => [name, anySent(formOf(key))]));
  return fc.record(fields, { requiredKeys: always });
}

function shapeErrors(document: unknown): readonly string[] {
  const errors = new DocumentErrors();
  readShape(edgeDocument, document, errors);
  return [...errors.errors, ...errors.rejected];
}

const documents = anySent(edgeDocument) as fc.Arbitrary<Record<string, unknown>>;

describe('a document by the grammar of gateways', () => {
  it('passes the schema of the console and the reader of the agent, whatever it holds', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(findSchemaErrors(document, 'edge')).toEqual([]);
        expect(shapeErrors(document)).toEqual([]);
      }),
      runs(30, 300),
    );
  });

  it('is refused by both with a key that the grammar lacks', () => {
    const yunxun = { confirm_s: 60, vpn: {} };
    const changed = { ...fc.sample(documents, { numRuns: 1, seed: 1 })[0], 'third-party': { yunxun } };
    expect(findSchemaErrors(changed, 'edge')).toEqual([
      { path: '/third-party/yunxun', message: 'must NOT have additional properties "vpn"' },
    ]);
    expect(shapeErrors(changed)).toEqual(['[E] (In /third-party/yunxun/vpn) is not a key that this gateway supports']);
  });
});
