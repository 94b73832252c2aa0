import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { install } from '../../app/i18n.ts';
import { en } from '../../messages/all.ts';
import { Graph } from './graph.tsx';
import { ReachMatrix } from './matrix.tsx';

beforeAll(() => install('en', en));

const keysOf = (n: number) => Array.from({ length: n }, (_none, index) => `k${index}`);

test('says for each ordered pair whether it is reachable', () => {
  const matrix = { keys: keysOf(3), rows: ['010', '101', '010'] };
  const html = renderToStaticMarkup(<ReachMatrix matrix={matrix} nameOf={(key) => `Site ${key}`} />);
  expect(html.match(/>reachable</g)).toHaveLength(4);
  expect(html.match(/>not reachable</g)).toHaveLength(2);
  expect(html).toContain('<th scope="row">Site k0</th>');
});

test('asks for one source when the matrix is too large to read', () => {
  const keys = keysOf(1000);
  const matrix = { keys, rows: keys.map(() => `1${'0'.repeat(999)}`) };
  const html = renderToStaticMarkup(<ReachMatrix matrix={matrix} nameOf={(key) => key} />);
  expect(html).toContain('It reaches 0 of the other 999 nodes.');
  expect(html).not.toContain('<table');
});

test('draws 24 of 1,000 nodes and says so', () => {
  const nodes = keysOf(1000).map((key, at) => ({ key, name: key, pid: '', role: at === 0 ? 'main' : '' }) as const);
  const links = nodes.slice(1).map(({ key }) => ({ from: key, to: 'k0', state: 'up', note: '8 ms' }) as const);
  const html = renderToStaticMarkup(
    <Graph type={2} nodes={nodes} links={links} noteOf={() => ''} toneOf={() => 'ok'} onChoose={() => {}} />,
  );
  expect(html.match(/role="button"/g)).toHaveLength(24);
  expect(html).toContain('The drawing shows 24 of 1000 nodes');
  expect(html).toContain('k1 – k0 8 ms');
});
