import fc from 'fast-check';

// Each mutant runs the tests that reach it: fewer runs of each property than npm test has.
fc.configureGlobal({ seed: 20_260_720, numRuns: 20 });
