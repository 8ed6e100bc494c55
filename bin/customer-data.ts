#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Otherwise a short command would spend half of its time compiling packages again.
enableCompileCache();
const { runCommandLine } = await import('../cli/commands/command-line.ts');

// A pipe's reader may end first. The command still has to finish or to undo its work.
process.stdout.on('error', () => {});

const code = await runCommandLine(process.argv.slice(2), process);
// A signal may have set it.
process.exitCode ??= code;
