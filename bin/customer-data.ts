#!/usr/bin/env node
import { runCommandLine } from '../cli/commands/command-line.ts';

// A pipe's reader may end first. The command still has to finish or to undo its work.
process.stdout.on('error', () => {});

const code = await runCommandLine(process.argv.slice(2), process);
// A signal may have set it.
process.exitCode ??= code;
