#!/usr/bin/env node
import { runCommandLine } from '../cli/command-line.ts';

// The reader of a pipe may end before the command does: what the command began, it has to finish or undo.
process.stdout.on('error', () => {});

const code = await runCommandLine(process.argv.slice(2), process);
// A signal may have set it.
process.exitCode ??= code;
