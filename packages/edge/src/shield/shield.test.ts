import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EdgeShield, edgeShieldLimits } from '@yunxun/contract/device';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDocument } from '../document/index.ts';
import { fullFacts, smallDocument } from '../document/testing/documents.ts';
import { ManualClock } from '../manual-clock.ts';
import { emptyPlan, type Plan, render } from '../render/index.ts';
import { Counts } from './counts.ts';
import { Domains } from './domains.ts';
import { createShield } from './index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yunxun-shield-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sum = (text: string) => createHash('sha256').update(text).digest('hex');
const listOf = (text: string, category: 'malware' | 'ads' = 'malware') => ({
  category,
  sha256: sum(text),
  path: `/shield/${sum(text)}`,
});

/** Answers as dnsmasq does: the longest domain of the file wins. */
function refuses(servers: string, name: string): boolean {
  let best = '';
  let isRefused = false;
  for (const [, domain = '', server] of servers.matchAll(/^server=\/(.+)\/(#?)$/gm)) {
    if ((name !== domain && !name.endsWith(`.${domain}`)) || domain.length <= best.length) continue;
    best = domain;
    isRefused = server === '';
  }
  return isRefused;
}

describe('domains', () => {
  const label = fc.constantFrom('a', 'b', 'c');
  const domain = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));

  it('are refused by dnsmasq exactly where they are counted', () => {
    fc.assert(
      fc.property(fc.array(domain), fc.array(domain), domain, (listed, allowed, name) => {
        const domains = new Domains([{ category: 'ads', text: listed.join('\n') }], allowed, 1000);
        const within = (one: string) => name === one || name.endsWith(`.${one}`);
        const isListed = listed.some(within) && !allowed.some(within);
        expect(domains.find(name) !== null).toBe(isListed);
        expect(refuses(domains.servers(), name)).toBe(isListed);
      }),
      { numRuns: 500 },
    );
  });

  it('take the category of the first list, and no line that is no domain', () => {
    const lists = [
      { category: 'malware', text: 'bad.example\n\ncom\n-x.example\nBAD.example\nserver=/x/' },
      { category: 'ads', text: 'bad.example\nads.example' },
    ] as const;
    const domains = new Domains(lists, [], 1000);
    expect(domains.find('www.bad.example')).toEqual({ domain: 'bad.example', category: 'malware' });
    expect(domains.servers()).toBe('server=/ads.example/\nserver=/bad.example/\n');
    expect(new Domains(lists, [], 1).servers()).toBe('server=/bad.example/\n');
  });
});

describe('counts', () => {
  const found = { domain: 'bad.example', category: 'malware' } as const;

  it('are repeated until they are taken, over a restart too', () => {
    const first = new Counts(folder);
    first.add(7300, found, '020000000001', true);
    first.add(7400, found, '020000000001', true);
    const batch = first.next(null);
    expect(batch?.rows).toEqual([
      { at: 7200, mac: '020000000001', blocked: true, queries: 2, domain: 'bad.example', category: 'malware' },
    ]);
    first.add(7500, found, '', false);
    expect(first.next('another')).toEqual(batch);
    const second = new Counts(folder);
    expect(second.next(null)).toEqual(batch);
    expect(second.next(batch!.id)?.rows).toMatchObject([{ queries: 1, blocked: false }]);
  });

  it('keep exact sums beyond the limit of rows', () => {
    const counts = new Counts(folder);
    const max = edgeShieldLimits.rows + 50;
    for (let at = 0; at < max; at++) counts.add(0, { ...found, domain: `d${at}.example` }, '', true);
    const rows = counts.next(null)?.rows ?? [];
    expect(rows.length).toBeLessThanOrEqual(edgeShieldLimits.rows + 1);
    expect(rows.reduce((all, { queries }) => all + queries, 0)).toBe(max);
  });
});

describe('a shield', () => {
  const clock = new ManualClock(7_200_000);
  let plan: Plan;
  let offered: Record<string, string>;
  let reloads: number;
  let asked: string[];
  let answer: (name: string) => string | null;
  const servers = () => readFileSync(join(folder, 'shield.servers'), 'utf8');
  const planOf = (shield: EdgeShield): Plan => {
    const document = { ...smallDocument(), 'third-party': { yunxun: { shield } } };
    const facts = { ...fullFacts, folders: { run: folder, state: folder } };
    const read = readDocument(document, facts);
    if ('refused' in read) throw new Error(read.refused.join('\n'));
    return render(read.document, facts);
  };
  const made = () =>
    createShield({
      clock,
      stateFolder: folder,
      run: folder,
      log: () => {},
      macOf: () => '020000000001',
      host: {
        get plan() {
          return plan;
        },
      },
      async fetch(path) {
        const text = offered[path];
        if (text === undefined) throw new Error(`${path} answers 404`);
        return Buffer.from(text);
      },
      reload: () => {
        reloads += 1;
      },
      proof: {
        async ask(address, name) {
          asked.push(`${address} ${name}`);
          return answer(name);
        },
        pause: async () => {},
      },
    });
  const offer = (text: string) => {
    offered[`/shield/${sum(text)}`] = text;
    return listOf(text);
  };

  beforeEach(() => {
    plan = emptyPlan;
    offered = {};
    reloads = 0;
    [asked, answer] = [[], () => 'ENOTFOUND'];
    // as the step before the start of dnsmasq does
    writeFileSync(join(folder, 'shield.servers'), '');
  });

  it('refuses the domains of its lists, and counts queries for them', async () => {
    const shield = made();
    plan = planOf({ mode: 'block', lists: [offer('bad.example\n')], allow: [] });
    expect(plan.dnsmasq?.config).toContain(`servers-file=${join(folder, 'shield.servers')}\n`);
    shield.settled();
    await expect.poll(servers).toBe('server=/bad.example/\n');
    expect(reloads).toBe(1);
    expect(shield.state()).toMatchObject({ mode: 'block', error: null, lists: [{ domains: 1 }] });
    for (const name of ['www.bad.example', 'good.example', 'bad.example']) shield.queried(name, '10.0.0.5');
    expect(shield.counts({ taken: null }).tool?.shield).toBeNull();
    for (const name of ['www.bad.example', 'bad.example']) shield.refused(name, '10.0.0.5');
    expect(shield.counts({ taken: null }).tool?.shield?.rows).toMatchObject([{ queries: 2, blocked: true }]);
    shield.stop();
  });

  it.each([
    ['refuses it and logs so', 'ENOTFOUND', true, true],
    ['is another one that knows no such name', 'ENOTFOUND', false, false],
    ['answers it', null, false, false],
    ['does not answer', 'ETIMEOUT', false, false],
  ])('says whether its resolver %s when the agent asks for a listed name', async (_what, code, logs, refuses) => {
    answer = (name) => {
      if (logs) shield.refused(name, '192.168.1.1');
      return code;
    };
    const shield = made();
    plan = planOf({ mode: 'block', lists: [offer('bad.example\n')], allow: [] });
    shield.settled();
    await expect.poll(servers).toBe('server=/bad.example/\n');
    expect(shield.state()?.refuses).toBeNull();
    clock.advance(1000);
    await expect.poll(() => shield.state()?.refuses).toBe(refuses);
    expect(asked.at(-1)).toMatch(/^\d+\.\d+\.\d+\.\d+ yunxun-[0-9a-f]{8}\.bad\.example$/);
    expect(shield.counts({ taken: null }).tool?.shield).toBeNull();
    shield.stop();
  });

  it('in monitor mode refuses nothing, but counts', async () => {
    const shield = made();
    plan = planOf({ mode: 'monitor', lists: [offer('bad.example\n')], allow: [] });
    shield.settled();
    await expect.poll(() => shield.state()?.lists).toHaveLength(1);
    shield.queried('bad.example', '10.0.0.5');
    expect(servers()).toBe('');
    expect(shield.counts({ taken: null }).tool?.shield?.rows).toMatchObject([{ queries: 1, blocked: false }]);
    shield.stop();
  });

  it('keeps the last good list of a category while the next one cannot be fetched', async () => {
    const shield = made();
    plan = planOf({ mode: 'block', lists: [offer('bad.example\n')], allow: [] });
    shield.settled();
    await expect.poll(servers).toBe('server=/bad.example/\n');
    const next = listOf('worse.example\n');
    plan = planOf({ mode: 'block', lists: [next], allow: ['ok.bad.example'] });
    shield.settled();
    await expect.poll(() => shield.state()?.error).toContain('404');
    expect(servers()).toBe('server=/bad.example/\nserver=/ok.bad.example/#\n');
    offered[next.path] = 'forged.example\n';
    clock.advance(60_000);
    await expect.poll(() => shield.state()?.error).toContain('is another list');
    expect(servers()).toContain('server=/bad.example/\n');
    offered[next.path] = 'worse.example\n';
    clock.advance(60_000);
    await expect.poll(servers).toBe('server=/worse.example/\n');
    shield.stop();
  });

  it('has its lists again after a restart without the console', async () => {
    const first = made();
    plan = planOf({ mode: 'block', lists: [offer('bad.example\n')], allow: [] });
    first.settled();
    await expect.poll(servers).toBe('server=/bad.example/\n');
    first.stop();
    offered = {};
    const second = made();
    second.settled();
    await expect.poll(() => second.state()?.lists).toHaveLength(1);
    expect(servers()).toBe('server=/bad.example/\n');
    expect(reloads).toBe(1);
    second.stop();
  });

  it.each([
    ['a domain that would end the line', { allow: ['x.example/\nserver=/y/'] }],
    ['a domain in capitals', { allow: ['X.example'] }],
    ['a whole top-level domain', { allow: ['example'] }],
    ['a path out of the console', { lists: [{ ...listOf('x'), path: '//host/x' }] }],
    ['another mode', { mode: 'off' }],
    ['an unknown setting', { more: true }],
  ])('is refused with %s', (_name, wrong) => {
    const own = { mode: 'block', lists: [], allow: [], ...wrong } as unknown as EdgeShield;
    expect(() => planOf(own)).toThrow('/third-party/yunxun/shield');
  });

  it('redirects DNS to other servers only where it is asked to', () => {
    const own = { mode: 'block', lists: [], allow: [] } as const;
    expect(planOf(own).nft).not.toContain('redirect to :53');
    const { nft } = planOf({ ...own, redirect: true });
    expect(nft).toContain('udp dport 53 redirect to :53');
    expect(nft).toContain('tcp dport 853 drop');
  });
});
