import fc from 'fast-check';
import { describe as about, expect, it } from 'vitest';
import { readDocument } from '../document/index.ts';
import {
  documents,
  fullFacts,
  hostileTexts,
  type JsonObject,
  shuffled,
  textsOf,
  withText,
} from '../document/testing/documents.ts';
import {
  describe,
  emptyPlan,
  noTable,
  type Plan,
  planKeys,
  redirectArguments,
  render,
  rulePriorities,
  shapeArguments,
} from './index.ts';

const runs = { numRuns: 80 };

function plan(document: unknown): Plan {
  const read = readDocument(document, fullFacts);
  if ('refused' in read) throw new Error(read.refused.join('\n'));
  return render(read.document, fullFacts);
}

function placeless(made: Plan): unknown {
  return { ...made, layout: null, lines: made.lines.map((wan) => ({ ...wan, interface: null })) };
}

function words({ nft, dnsmasq, shapes, redirects, links, addresses, routes, rules, sysctls }: Plan): string {
  const argv = [...shapes.flatMap(shapeArguments), ...redirects.flatMap(redirectArguments)];
  return [nft, dnsmasq?.config ?? '', JSON.stringify({ argv, links, addresses, routes, rules, sysctls })].join('\n');
}

about('a plan', () => {
  it('is the same bytes for the same document', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(JSON.stringify(plan(structuredClone(document)))).toBe(JSON.stringify(plan(document)));
      }),
      runs,
    );
  });

  it('is the same for a document in another order, where order means nothing', () => {
    fc.assert(
      fc.property(documents, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (document, stream) => {
        const random = () => stream.next().value ?? 0;
        const other = shuffled(document, random) as JsonObject;
        expect(JSON.stringify(placeless(plan(other)))).toBe(JSON.stringify(placeless(plan(document))));
      }),
      runs,
    );
  });

  it('differs from itself in nothing, and from none in everything', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const made = plan(document);
        expect(describe(made, plan(document))).toBe('');
        expect(describe(null, made)).toContain('+ table inet yunxun {');
        expect(describe(made, emptyPlan)).toContain('- table inet yunxun {');
      }),
      { numRuns: 50 },
    );
  });

  it('has no key twice', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const made = plan(document);
        for (const [section, key] of Object.entries(planKeys)) {
          const keys = made[section as keyof typeof planKeys].map((entry) => key(entry as never));
          expect(new Set(keys).size, section).toBe(keys.length);
        }
        const metrics = made.lines.map(({ metric }) => metric);
        expect(new Set(metrics).size).toBe(metrics.length);
      }),
      runs,
    );
  });

  it('touches nothing but what is ours', () => {
    const sockets = new Set(Object.values(fullFacts.ports));
    fc.assert(
      fc.property(documents, (document) => {
        const made = plan(document);
        expectOnlyOurTable(made.nft);
        for (const link of made.links) {
          if (link.kind === 'port') expect(sockets).toContain(link.device);
          else expect(link.device).toMatch(/^yx-[a-z0-9]{1,12}$/);
        }
        const named = new Set(made.links.map(({ device }) => device));
        const bridges = new Set(made.links.flatMap((link) => (link.kind === 'bridge' ? [link.device] : [])));
        for (const link of made.links)
          if ('master' in link && link.master !== null) expect(bridges).toContain(link.master);
        for (const { device } of [...made.addresses, ...made.dhcpClients, ...made.shapes, ...made.redirects])
          expect(named).toContain(device);
        for (const { device } of made.routes) expect(named).toContain(device);
        for (const { priority } of made.rules) {
          expect(priority).toBeGreaterThanOrEqual(rulePriorities.first);
          expect(priority).toBeLessThanOrEqual(rulePriorities.last);
        }
        for (const { path, device } of made.sysctls)
          expect(path).toMatch(
            device === null
              ? /^net\/(ipv4\/ip_forward|ipv4\/conf\/all\/send_redirects|netfilter\/nf_conntrack_\w+)$/
              : /^net\/ipv4\/conf\/[\w.-]+\/(rp_filter|send_redirects)$/,
          );
        for (const file of [made.dnsmasq?.leases, made.dnsmasq?.queries, made.dnsmasq?.pid, made.dnsmasq?.resolv])
          expect(file ?? '/run/yunxun-edge/').toMatch(/^\/(run|var\/lib)\/yunxun-edge\//);
        for (const line of made.dnsmasq?.config.split('\n') ?? []) expect(line).toMatch(dnsmasqLine);
      }),
      runs,
    );
  });

  it('contains no text from the document, in any field', () => {
    let taken = 0;
    const draw = fc.record({ hostile: fc.constantFrom(...hostileTexts), choice: fc.nat(), named: fc.boolean() });
    fc.assert(
      fc.property(documents, draw, (document, { hostile, choice, named }) => {
        const texts = textsOf(document).filter(({ key }) => !named || key === 'name');
        const { text } = texts[choice % texts.length]!;
        const read = readDocument(withText(document, text, hostile), fullFacts);
        if ('refused' in read) return;
        taken += 1;
        const made = render(read.document, fullFacts);
        expect(words(made)).not.toContain('Zq-9');
        for (const { hostName } of made.dhcpClients) expect(hostName ?? 'none').toMatch(/^[A-Za-z0-9-]+$/);
        expectOnlyOurTable(made.nft);
      }),
      { numRuns: 250 },
    );
    expect(taken).toBeGreaterThan(50);
  });
});

const dnsmasqLine =
  /^(# yunxun-edge|[a-z-]+|[a-z-]+=[A-Za-z0-9_./:,-]+|dhcp-(option|ignore-names)=tag:[a-z0-9,:.-]+|)$/;

function expectOnlyOurTable(nft: string): void {
  expect(nft.startsWith(`${noTable}table inet yunxun {\n`)).toBe(true);
  expect(nft).toMatch(/^[\t\n A-Za-z0-9_."{}:;,&=!<>@/-]*$/);
  const body = nft.slice(noTable.length);
  let depth = 0;
  for (const line of body.trimEnd().split('\n')) {
    if (depth === 0) expect(line).toBe('table inet yunxun {');
    else expect(line).not.toMatch(/\b(table|flush|delete|include|define|destroy|reset)\b/);
    depth += line.split('{').length - line.split('}').length;
    expect(depth).toBeGreaterThanOrEqual(0);
  }
  expect(depth).toBe(0);
}
