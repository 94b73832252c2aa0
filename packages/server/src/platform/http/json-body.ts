import { Failure, Invalid } from '../failure.ts';

/**
 * Bounds of a JSON body beside its bytes. Parsing takes about 1 µs a value, whatever its size: 3 MB of `{}` would hold
 * the event loop for 300 ms. The count reads each character outside texts.
 */
export const jsonLimits = { values: 50_000, depth: 32, outside: 1536 * 1024 } as const;

/**
 * Parses a JSON body after it has counted its values.
 * @throws Failure `tooLarge` beyond `jsonLimits.values` or `jsonLimits.outside`; Invalid if it is no JSON or too deep
 */
export function parseJson(text: string): unknown {
  const excess = findExcess(text);
  if (excess === 'values' || excess === 'outside') throw new Failure('tooLarge');
  try {
    if (excess === null) return text.length === 0 ? {} : JSON.parse(text);
  } catch {
    // answered below
  }
  throw new Invalid({ body: [{ key: 'validation.invalid' }] });
}

/** Counts separators and brackets outside texts; what is no JSON may be counted wrongly, and fails to parse. */
function findExcess(text: string): keyof typeof jsonLimits | null {
  let values = 1;
  let depth = 0;
  let outside = 0;
  for (let at = 0; at < text.length; at += 1) {
    outside += 1;
    switch (text[at]) {
      case '"':
        at = endOfText(text, at + 1);
        break;
      case '[':
      case '{':
        values += 1;
        depth += 1;
        if (depth > jsonLimits.depth) return 'depth';
        break;
      case ']':
      case '}':
        depth -= 1;
        break;
      case ',':
        values += 1;
    }
    if (values > jsonLimits.values) return 'values';
    if (outside > jsonLimits.outside) return 'outside';
  }
  return null;
}

/** Returns the index of the closing quote; files have no escapes and are skipped at once. */
function endOfText(text: string, from: number): number {
  const end = text.indexOf('"', from);
  if (end < 0) return text.length;
  if (text[end - 1] !== '\\') return end;
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
