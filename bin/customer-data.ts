#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Half of the time of a short command would go into compiling the packages again.
enableCompileCache();
const { runCommandLine } = await import('../cli/command-line.ts');

// The reader of a pipe may end before the command does: what the command began, it has to finish or undo.
process.stdout.on('error', () => {});

const code = await runCommandLine(process.argv.slice(2), process);
// A signal may have set it.
process.exitCode ??= code;
