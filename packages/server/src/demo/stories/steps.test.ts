import { expect, it } from 'vitest';
import type { Memory } from '../memory.ts';
import { tellStories } from './index.ts';
import { runSteps } from './steps.ts';
import type { DemoWorld, Story } from './story.ts';

it('goes on at the step before which the demo ended', async () => {
  const memory = { finished: [] as string[], notes: {} } as unknown as Memory;
  const taken: string[] = [];
  let ending = new AbortController();
  const story: Story = {
    name: 'story',
    tell: (world) =>
      runSteps(world, 'steps', [
        async () => taken.push('first'),
        async () => {
          taken.push('second');
          ending.abort();
        },
        async () => taken.push('third'),
      ]),
  };
  const begin = () => {
    ending = new AbortController();
    return tellStories({ file: { memory, save() {} }, stopping: ending.signal } as unknown as DemoWorld, [story]);
  };
  await begin();
  expect([taken, memory.finished]).toEqual([['first', 'second'], []]);
  await begin();
  expect([taken, memory.finished]).toEqual([['first', 'second', 'third'], ['story']]);
});
