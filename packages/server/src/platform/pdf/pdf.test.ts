import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, it } from 'vitest';
import { renderPdf } from './index.ts';

async function textsOf(pdf: Buffer): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(pdf) }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  await document.destroy();
  return items.flatMap((item) => ('str' in item ? [item.str] : []));
}

/** Returns the line of each text with `word`, in points from the top of all pages. */
async function linesOf(pdf: Buffer, word: string): Promise<number[]> {
  const document = await getDocument({ data: new Uint8Array(pdf) }).promise;
  const found: number[] = [];
  for (let n = 1; n <= document.numPages; n += 1) {
    const page = await document.getPage(n);
    const { items } = await page.getTextContent();
    for (const item of items)
      if ('str' in item && item.str.includes(word)) found.push(n * 1000 - (item.transform[5] as number));
  }
  await document.destroy();
  return found;
}

it('shows names of devices and guests without bidirectional controls', async () => {
  const bad = 'fdp.\u202eexe\u2066';
  const pdf = await renderPdf({
    title: bad,
    subtitle: bad,
    locale: 'en',
    at: new Date(0),
    footer: () => bad,
    blocks: [
      { kind: 'heading', text: bad },
      { kind: 'text', text: bad },
      { kind: 'facts', facts: [['Name', bad]] },
      { kind: 'table', columns: [{ title: bad, share: 1 }], rows: [[bad]] },
    ],
  });
  const texts = (await textsOf(pdf)).filter((text) => text.includes('fdp'));
  expect(texts).toHaveLength(8);
  expect(new Set(texts)).toEqual(new Set(['fdp.exe']));
});

it('keeps the rows of a table beneath bold titles of any length', async () => {
  const titles = Array.from({ length: 30 }, (_, n) => `${'a'.repeat(n + 1)} Zend`);
  const pdf = await renderPdf({
    title: 'Titles',
    subtitle: '',
    locale: 'en',
    at: new Date(0),
    footer: () => '',
    blocks: titles.map((title) => ({
      kind: 'table' as const,
      rows: [['Row', '']],
      columns: [
        { title, share: 1 },
        { title: '', share: 4 },
      ],
    })),
  });
  const [heads, rows] = [await linesOf(pdf, 'Zend'), await linesOf(pdf, 'Row')];
  expect(rows).toHaveLength(titles.length);
  for (const [n, head] of heads.entries()) expect(rows[n]! - head, titles[n]).toBeGreaterThan(10);
});
