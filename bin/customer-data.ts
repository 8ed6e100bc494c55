#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Otherwise a short command would spend half of its time compiling the packages again.
enableCompileCache();
const { runCommandLine } = await import('../cli/commands/command-line.ts');

// The reader of a pipe may end before the command does, which still has to finish or undo what it
// began.
process.stdout.on('error', () => {});

const code = await runCommandLine(process.argv.slice(2), process);
// A signal may have set it.
process.exitCode ??= code;
