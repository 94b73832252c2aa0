/** `npm run test:long`: every variant, full counts; the system tests run less, the gate least. */
export const long = process.env.LONG_TESTS === '1';

export const short = !long && process.env.SYSTEM_TESTS !== '1';
