#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';

const code = await runCommandLine(process.argv.slice(2), process);
// A signal may have set it.
process.exitCode ??= code;
