import { expect, it } from 'vitest';
import { sentOnce } from './sent-once.ts';

it('what is pressed twice is sent once, until its answer is taken over', async () => {
  const sent: string[] = [];
  const { send, taken } = sentOnce(async (input: string) => sent.push(input));
  expect(send('on')).toBe(send('on'));
  expect(sent).toEqual(['on']);
  taken('on');
  await send('on');
  expect(sent).toEqual(['on', 'on']);
});

it('what is taken back and wanted again is sent again, also while the first answer is taken over', async () => {
  const sent: string[] = [];
  const { send } = sentOnce(async (input: string) => sent.push(input));
  await send('on');
  await send('off');
  await send('on');
  expect(sent).toEqual(['on', 'off', 'on']);
});
