/** Whether `npm run test:long` runs, with every variant and full counts; the gate runs a small form of these tests. */
export const long = process.env.LONG_TESTS === '1';
