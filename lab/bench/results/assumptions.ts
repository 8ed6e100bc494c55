/** Assumption: one call in this many is a cold start. */
export const CALLS_PER_COLD_START = 200;
/** Assumption: one call in this many reads the client's item again. */
export const CALLS_PER_READ = 20;
