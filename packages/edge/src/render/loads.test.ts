import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edgeLimits } from '@yunxun/contract/device';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readDocument } from '../document/index.ts';
import { documents, fullFacts, largestDocument } from '../document/testing/documents.ts';
import {
  blockedElements,
  emptyPlan,
  type Plan,
  redirectArguments,
  render,
  shapeArguments,
  unredirectArguments,
  unshapeArguments,
} from './index.ts';
import { ruleErrorOf, whyNot } from './testing/tools.ts';

const reason = whyNot('nft', 'dnsmasq', 'ip', 'tc');
if (reason !== null) console.error(`what is rendered is not loaded by the real tools here: ${reason}`);

const folder = mkdtempSync(join(tmpdir(), 'yunxun-render-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function plan(document: unknown): Plan {
  const read = readDocument(document, fullFacts);
  if ('refused' in read) throw new Error(read.refused.join('\n'));
  return render(read.document, fullFacts);
}

it('has its tools wherever the gate runs', () => {
  if (process.env.CI) expect(reason).toBeNull();
});

describe.skipIf(reason !== null)('any document that is taken', () => {
  it('is loaded by nft', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const { nft, blocked } = plan(document);
        expect(ruleErrorOf(['nft', '-c', '-f', '-'], `${nft}${blockedElements(blocked)}`)).toBe('');
      }),
      { numRuns: 60 },
    );
  });

  it('is loaded by dnsmasq', () => {
    const file = join(folder, 'dnsmasq.conf');
    fc.assert(
      fc.property(documents, (document) => {
        const { dnsmasq } = plan(document);
        if (dnsmasq === null) return;
        writeFileSync(file, dnsmasq.config);
        expect(ruleErrorOf(['dnsmasq', '--test', `--conf-file=${file}`])).toBe('');
      }),
      { numRuns: 60 },
    );
  });

  it('is loaded as large as it may be', () => {
    const made = plan(largestDocument());
    expect(made.blocked).toHaveLength(edgeLimits.blocked);
    expect(ruleErrorOf(['nft', '-c', '-f', '-'], `${made.nft}${blockedElements(made.blocked)}`)).toBe('');
    const file = join(folder, 'largest.conf');
    writeFileSync(file, made.dnsmasq!.config);
    expect(ruleErrorOf(['dnsmasq', '--test', `--conf-file=${file}`])).toBe('');
    expect(made.shapes.map(({ classes }) => classes.length)).toEqual([edgeLimits.limits + 2, 2, edgeLimits.limits]);
  });

  it('has rates that tc takes, and that can be taken away again', () => {
    const lines: string[] = [];
    fc.assert(
      fc.property(documents, ({ ...document }) => {
        const { shapes } = plan(document);
        for (const { device: _, ...shape } of shapes) {
          const here = { ...shape, device: 'yx-test' };
          for (const argv of [...shapeArguments(here), ...unshapeArguments(here)]) lines.push(argv.join(' '));
        }
      }),
      { numRuns: 30 },
    );
    const redirect = { device: 'yx-test', to: 'yx-itest' };
    for (const argv of redirectArguments(redirect)) lines.push(argv.join(' '));
    for (const argv of unredirectArguments(redirect)) lines.push(argv.join(' '));
    for (const argv of redirectArguments({ ...redirect, untaggedOnly: true })) lines.push(argv.join(' '));
    expect(lines.length).toBeGreaterThan(20);
    const batch = join(folder, 'tc.batch');
    writeFileSync(batch, `${lines.join('\n')}\n`);
    const links = 'link add yx-test type bridge\nlink add yx-itest type ifb\n';
    const made = join(folder, 'links.batch');
    writeFileSync(made, links);
    expect(ruleErrorOf(['sh', '-e', '-c', 'ip -batch "$1"; tc -batch "$2"', 'sh', made, batch])).toBe('');
  });
});

it.skipIf(reason !== null)('an unconfigured gateway has no table', () => {
  expect(ruleErrorOf(['nft', '-c', '-f', '-'], emptyPlan.nft)).toBe('');
});
