import { describe, expect, it } from 'vitest';
import { WireGrammar } from './grammar.ts';
import { check, type Tally } from './oracle.ts';

describe('wire decoder', () => {
  it('keeps its promises for 20,000 inputs of the grammar', () => {
    const tally: Tally = new Map();
    for (const seed of [1, 2, 3, 4]) {
      const grammar = new WireGrammar(seed);
      for (let at = 0; at < 5000; at += 1) {
        const frame = grammar.frame();
        try {
          check(frame, tally);
        } catch (error) {
          throw new Error(`seed ${seed}, input ${at}: ${frame.subarray(0, 300).toString()}`, { cause: error });
        }
      }
    }
    // minimum branch coverage of the grammar
    const least = { message: 8000, reply: 500, radius: 50, error: 300 };
    for (const [kind, count] of Object.entries(least)) expect(tally.get(kind)).toBeGreaterThan(count);
    const reasons = ['json', 'depth', 'inflated-size', 'deflate', 'compressed-params'];
    expect([...tally.keys()]).toEqual(expect.arrayContaining(reasons.map((why) => `invalid: ${why}`)));
  });
});
