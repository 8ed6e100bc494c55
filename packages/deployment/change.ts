export type { Change, Context, Done, Shown } from './change/change.ts';
export { type CommandContext, type Rendering, runChange } from './change/run-change.ts';
