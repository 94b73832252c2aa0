import { expect, it } from 'vitest';
import { loadTexts } from '../../app/i18n.ts';
import { valueText } from './labels.ts';

it('names the unit of values of accounts', async () => {
  await loadTexts('alarms');
  expect(valueText('payment_difference', 2)).toBe('2 笔订单');
  expect(valueText('sms_balance_low', 0)).toBe('0 条短信');
});
