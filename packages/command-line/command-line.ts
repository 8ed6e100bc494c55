import { Command, CommanderError } from 'commander';
import packageJson from 'customer-data-api/package.json' with { type: 'json' };
import {
  EXIT_CODES,
  noteTo,
  printableLines,
  printText,
  rememberTerminal,
  type Terminal,
  UsageError,
  UserError,
  withOutput,
} from 'customer-data-api-deployment/program';

/** A command. It is loaded when a command line names it: most need an AWS SDK. */
interface LazyCommand {
  readonly description: string;
  readonly load: () => Promise<(terminal: Terminal) => Command>;
}

const COMMANDS: Readonly<Record<string, LazyCommand>> = {
  clients: {
    description: 'the clients of a deployment',
    load: async () => (await import('customer-data-api-editor/commands/clients')).clientsCommand,
  },
  keys: {
    description: 'the App-Ids of a client, shown as the first digits of their SHA-256 digests',
    load: async () => (await import('customer-data-api-editor/commands/keys')).keysCommand,
  },
  config: {
    description: 'the configuration of a client: the data its apps collect',
    load: async () => (await import('customer-data-api-editor/commands/config')).configCommand,
  },
  rollout: {
    description: 'the rollout of a configuration to a share of the devices',
    load: async () => (await import('customer-data-api-editor/commands/rollout')).rolloutCommand,
  },
  console: {
    description:
      'open the page that edits configurations, shows them on a phone, and undoes changes',
    load: async () => (await import('customer-data-api-console/command')).consoleCommand,
  },
  promo: {
    description: 'the promo events of a client',
    load: async () => (await import('customer-data-api-on-call/commands/promo')).promoCommand,
  },
  queue: {
    description: 'promo events that could not be stored or did not reach the event bus',
    load: async () => (await import('customer-data-api-on-call/commands/queue')).queueCommand,
  },
  user: {
    description: 'the stored data of a user',
    load: async () => (await import('customer-data-api-on-call/commands/user')).userCommand,
  },
  doctor: {
    description: 'find problems with alarms, queues and clients of a deployment',
    load: async () => (await import('customer-data-api-on-call/commands/doctor')).doctorCommand,
  },
  smoke: {
    description:
      'test a deployment from outside with a temporary user and client. It asks first in production',
    load: async () => (await import('customer-data-api-on-call/commands/smoke')).smokeCommand,
  },
};

/**
 * Makes the command `./customer-data`.
 *
 * @param words the words of the command line: other commands than those that they name have a name
 *   and a description only. Without it, all commands are complete.
 */
export async function customerDataCommand(
  terminal: Terminal,
  words?: readonly string[],
): Promise<Command> {
  const command = new Command('./customer-data')
    .description('Manages the clients of a deployment and the data their apps collect')
    .version(packageJson.version)
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 problems or differences found, 2 usage, 3 conflict,\n4 AWS unreachable or not permitted',
    );
  for (const [name, { description, load }] of Object.entries(COMMANDS)) {
    const isNamed = words?.includes(name) ?? true;
    const one = isNamed ? (await load())(terminal) : new Command(name);
    command.addCommand(one.description(description));
  }
  return prepared(command, terminal);
}

/**
 * Runs the command line. With `--json`, the last line on the standard error is JSON if a command
 * fails: its code and data, and the message, which is printed before it as without `--json`.
 *
 * @param args the words after `customer-data`.
 * @returns the exit code. An error that the person at the terminal can fix is printed in one line.
 * @throws any other error: a defect.
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await withOutput(terminal, () => run(args, terminal));
    return 0;
  } catch (error) {
    const isCommanders = error instanceof CommanderError;
    const failure = isCommanders ? new UsageError(error.message) : await failureOf(error);
    if (!(failure instanceof UserError)) throw withPrintableStack(failure);
    const { code, lines, message, data } = failure;
    // Commander has printed what is wrong.
    if (message && !isCommanders) lines.forEach(noteTo(terminal));
    if (args.includes('--json')) {
      printText(terminal.stderr, `${JSON.stringify({ error: { code, message, ...data } })}\n`);
    }
    return EXIT_CODES[code];
  }
}

async function run(args: readonly string[], terminal: Terminal): Promise<void> {
  rememberTerminal(terminal);
  const command = await customerDataCommand(terminal, args);
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    // The help was asked for.
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
  }
}

/** Words an error for the person at the terminal. */
async function failureOf(error: unknown): Promise<unknown> {
  const { withMessage } = await import('customer-data-api-editor/error-messages');
  const failure = withMessage(error);
  if (failure instanceof UserError) return failure;
  const { inOneLine } = await import('customer-data-api-deployment');
  return inOneLine(failure);
}

/** Lets a command and its subcommands use the terminal, and throw instead of ending the process. */
function prepared(command: Command, terminal: Terminal): Command {
  const { stdout, stderr } = terminal;
  // Commander does not break descriptions in a column that is narrower than this: lines would be
  // longer than the terminal.
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

/**
 * Escapes the stack of a defect, and those of its causes: Node prints them, and they may quote AWS.
 */
function withPrintableStack(defect: unknown): unknown {
  for (let error = defect; error instanceof Error; error = error.cause) {
    error.stack = printableLines(error.stack ?? '');
  }
  return defect;
}
