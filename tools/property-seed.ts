import fc from 'fast-check';

/** One seed for all property tests of a gate run, so that a run says something about its change and not about luck. */
if (process.env.CI) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_125 });
