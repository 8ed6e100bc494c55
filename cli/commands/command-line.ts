import { Command, CommanderError } from 'commander';
import { printableLines } from '../../core/text.ts';
import { UsageError, UserError } from '../../core/user-error.ts';
import { inOneLine } from '../deployment/aws-error.ts';
import { worded } from '../error-messages.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { printText, type Terminal } from '../terminal/terminal.ts';
import { clientsCommand } from './clients/command.ts';
import { configCommand } from './config/command.ts';
import { doctorCommand } from './doctor/command.ts';
import { eventsCommand } from './events/command.ts';
import { keysCommand } from './keys/command.ts';
import { previewCommand } from './preview/command.ts';
import { promoCommand } from './promo/command.ts';
import { queueCommand } from './queue/command.ts';
import { smokeCommand } from './smoke/command.ts';
import { userCommand } from './user/command.ts';

/** The command `customer-data` with all of its subcommands. */
export function customerDataCommand(terminal: Terminal): Command {
  const command = new Command('./customer-data')
    .description('Manages the clients of a deployment and the data their apps collect')
    .addCommand(clientsCommand(terminal))
    .addCommand(keysCommand(terminal))
    .addCommand(configCommand(terminal))
    .addCommand(previewCommand(terminal))
    .addCommand(promoCommand(terminal))
    .addCommand(queueCommand(terminal))
    .addCommand(userCommand(terminal))
    .addCommand(doctorCommand(terminal))
    .addCommand(smokeCommand(terminal))
    .addCommand(eventsCommand(terminal))
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 problems or differences found, 2 usage, 3 conflict,\n4 AWS unreachable or not permitted',
    );
  return prepared(command, terminal);
}

/**
 * Runs the command line. With `--json`, the last line on the standard error is JSON if a command fails: its code, and the message,
 * which is printed before it as without `--json`.
 *
 * @param args the words after `customer-data`.
 * @returns the exit code. An error that the person at the terminal can fix is printed in one line.
 * @throws any other error: a defect.
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await customerDataCommand(terminal).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const isCommanders = error instanceof CommanderError;
    // The reader of a pipe has seen enough, or the help was asked for.
    if (isClosedPipe(error) || (isCommanders && error.exitCode === 0)) return 0;
    const failure = isCommanders ? new UsageError(error.message) : inOneLine(worded(error));
    if (!(failure instanceof UserError)) throw withPrintableStack(failure);
    const { code, message } = failure;
    // Commander has printed what is wrong.
    if (message && !isCommanders) printText(terminal.stderr, `${message}\n`);
    if (args.includes('--json')) {
      printText(terminal.stderr, `${JSON.stringify({ error: { code, message } })}\n`);
    }
    return EXIT_CODES[code];
  }
}

/** Lets a command and its subcommands use the terminal, and throw instead of ending the process. */
function prepared(command: Command, terminal: Terminal): Command {
  const { stdout, stderr } = terminal;
  // Commander does not break descriptions in a column that is narrower than this: lines would be longer than the terminal.
  command.configureHelp({ minWidthToWrap: 20 });
  command.exitOverride().configureOutput({
    writeOut: (text) => printText(stdout, text),
    writeErr: (text) => printText(stderr, text),
    getOutHelpWidth: () => stdout.columns ?? 80,
    getErrHelpWidth: () => stderr.columns ?? 80,
  });
  for (const subcommand of command.commands) prepared(subcommand, terminal);
  return command;
}

/** Escapes the stack of a defect, and those of its causes: Node prints them, and they may quote AWS. */
function withPrintableStack(defect: unknown): unknown {
  for (let error = defect; error instanceof Error; error = error.cause) {
    error.stack = printableLines(error.stack ?? '');
  }
  return defect;
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
