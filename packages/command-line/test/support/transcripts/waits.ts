/** The waits of a command, in milliseconds. A scenario does not take their time. */
export const waits: number[] = [];
