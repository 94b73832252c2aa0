import { expect, it } from 'vitest';
import { install } from '../../app/i18n.ts';
import { en } from '../../messages/all.ts';
import { amountWrong } from './amount.ts';

install('en', en);

it.each(['', '1000000', '1,000', '１２', '.5', '-1'])('names the bounds of an amount such as %j', (text) => {
  expect(amountWrong(text)).toMatch(/^Enter an amount in CNY below 1,000,000/);
});

it.each(['0', '9.9', '999999.99'])('takes %j', (text) => {
  expect(amountWrong(text)).toBeNull();
});
