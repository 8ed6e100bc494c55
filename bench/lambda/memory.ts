/** A function has one CPU per this much memory, in megabytes: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
export const CPU_MEGABYTES = 1769;
