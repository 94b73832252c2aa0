/** `npm run test:long`: every variant, full counts; the gate runs less. */
export const long = process.env.LONG_TESTS === '1';
