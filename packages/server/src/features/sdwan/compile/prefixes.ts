import { dotted, readSubnet, sizeOf } from '@yunxun/contract/ipv4';

/** Disjoint prefixes in ascending order. */
export interface PrefixSet {
  readonly starts: readonly number[];
  readonly texts: readonly string[];
  readonly lengths: readonly number[];
}

interface Prefix {
  start: number;
  length: number;
}

/** Returns the fewest equal prefixes; the input has no host bits or overlaps. */
export function aggregate(texts: readonly string[]): PrefixSet {
  const sorted = texts.map(read).toSorted((a, b) => a.start - b.start);
  const stack: Prefix[] = [];
  for (const prefix of sorted) {
    stack.push(prefix);
    while (stack.length > 1 && isPair(stack.at(-2)!, stack.at(-1)!)) {
      stack.pop();
      stack.push({ start: stack.at(-1)!.start, length: stack.pop()!.length - 1 });
    }
  }
  return setOf(stack);
}

/** Returns at most `max` prefixes, wider ones if necessary. */
export function cover({ starts, lengths, texts }: PrefixSet, max: number): readonly string[] {
  if (texts.length <= max) return texts;
  for (let length = 31; length >= 0; length--) {
    const size = sizeOf(length);
    const wider = new Map(
      starts.map((start, at) => {
        const kept = Math.min(length, lengths[at]!);
        const first = kept === length ? start - (start % size) : start;
        return [`${dotted(first)}/${kept}`, null];
      }),
    );
    if (wider.size <= max) return [...wider.keys()];
  }
  return ['0.0.0.0/0'];
}

/** Removes contained prefixes. */
export function without({ starts, lengths, texts }: PrefixSet, removed: readonly string[]): string[] {
  const byEntry = new Map<number, Prefix[]>();
  for (const prefix of removed.map(read)) {
    const at = entryOf(starts, prefix.start);
    if (at < 0 || prefix.start >= starts[at]! + sizeOf(lengths[at]!)) continue;
    const cut = byEntry.get(at);
    if (cut) cut.push(prefix);
    else byEntry.set(at, [prefix]);
  }
  const kept: string[][] = [];
  let from = 0;
  for (const at of [...byEntry.keys()].toSorted((a, b) => a - b)) {
    kept.push(texts.slice(from, at), split({ start: starts[at]!, length: lengths[at]! }, byEntry.get(at)!));
    from = at + 1;
  }
  kept.push(texts.slice(from));
  return kept.flat();
}

function split(whole: Prefix, removed: readonly Prefix[]): string[] {
  if (removed.length === 0) return [textOf(whole)];
  if (removed.some(({ length }) => length <= whole.length)) return [];
  const length = whole.length + 1;
  const middle = whole.start + sizeOf(length);
  return [
    ...split(
      { start: whole.start, length },
      removed.filter(({ start }) => start < middle),
    ),
    ...split(
      { start: middle, length },
      removed.filter(({ start }) => start >= middle),
    ),
  ];
}

function entryOf(starts: readonly number[], address: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= address) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const isPair = (a: Prefix, b: Prefix): boolean =>
  a.length === b.length &&
  a.length > 0 &&
  a.start % sizeOf(a.length - 1) === 0 &&
  a.start + sizeOf(a.length) === b.start;

const textOf = ({ start, length }: Prefix): string => `${dotted(start)}/${length}`;

function read(text: string): Prefix {
  const subnet = readSubnet(text);
  if (!subnet) throw new Error(`${text} is no prefix`);
  return { start: subnet.address, length: subnet.prefix };
}

function setOf(prefixes: readonly Prefix[]): PrefixSet {
  return {
    starts: prefixes.map(({ start }) => start),
    lengths: prefixes.map(({ length }) => length),
    texts: prefixes.map(textOf),
  };
}
