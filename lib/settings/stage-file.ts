import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineCounter, parseDocument } from 'yaml';
import { readSettings, type Settings, SettingsError } from './settings.ts';

const STAGES = fileURLToPath(new URL('../../stages', import.meta.url));

// The name becomes part of the stack's name, and is the stage of the REST API.
const STAGE = /^(?!test-invoke-stage$|schema$)[a-z][a-z0-9-]{0,19}$/;
const DEFAULT_STAGE = 'dev';

/** Overrides are context keys with this prefix, such as `set.configCacheSeconds`. */
const OVERRIDE_PREFIX = 'set.';

// Context keys of the CDK itself contain a hyphen, a colon, a slash or an @.
const OUR_CONTEXT = /^\w+$/;
const KNOWN_CONTEXT = ['stage', 'stages'];

/** A stage: an installation of the service with its own settings. */
export interface Stage {
  readonly name: string;
  readonly settings: Settings;
}

/**
 * Reads a stage from its file. CDK context chooses it: `stage` is its name (default `dev`),
 * `stages` a folder of one's own in place of the examples, and `set.<name>` overrides a setting.
 *
 * @throws SettingsError if the file is missing or invalid, the context has an unknown key, it
 *   changes a stage that retains its data, or such a stage of one's own has no account.
 */
export function readStage(context: Readonly<Record<string, unknown>>): Stage {
  const unknown = Object.keys(context).find(
    (key) => OUR_CONTEXT.test(key) && !KNOWN_CONTEXT.includes(key),
  );
  if (unknown !== undefined) {
    throw new SettingsError(
      `There is no context ${unknown}: settings are in the file of the stage. For an experiment, use -c ${OVERRIDE_PREFIX}${unknown}=…. If you did not pass it, the CDK read it from ~/.cdk.json: give it there a name with a hyphen or a colon, such as my:${unknown}.`,
    );
  }
  const { stage: name = DEFAULT_STAGE, stages = STAGES } = context;
  if (typeof name !== 'string' || !STAGE.test(name)) {
    throw new SettingsError(
      `The stage must have 1 to 20 lower-case letters, digits and hyphens, start with a letter, and not be test-invoke-stage or schema; it is ${JSON.stringify(name)}.`,
    );
  }
  const folder = resolve(String(stages));
  const path = join(folder === STAGES ? 'stages' : String(stages), `${name}.json`);
  const file = readStageFile(folder, name, path);
  const settings = readSettings(file);
  // Whoever tries one out has not chosen where its customers are.
  if (folder !== STAGES && settings.retainData && settings.account === undefined) {
    throw new SettingsError(
      `The stage ${name} retains its data, so it needs account: it could be deployed with the credentials of another account. Write "account" into ${path}.`,
    );
  }
  const overrides = overridesIn(context);
  const [override] = Object.keys(overrides);
  if (override === undefined) return { name, settings };
  // The file decides whether overrides are permitted: one of retainData would permit itself.
  const overridden = settings.retainData ? settings : readSettings({ ...file, ...overrides });
  if (overridden.retainData) {
    throw new SettingsError(
      `The stage ${name} retains its data, so ${override} cannot be overridden: the next deployment without the override would undo it. Write it into ${path}.`,
    );
  }
  return { name, settings: overridden };
}

/** Reads the file of a stage. Messages name it by its path. */
function readStageFile(folder: string, name: string, path: string): object {
  let text: string;
  try {
    // Editors on Windows may begin a file with a byte order mark.
    text = readFileSync(join(folder, `${name}.json`), 'utf8').replace(/^\uFEFF/, '');
  } catch {
    if (!existsSync(folder)) throw new SettingsError(`There is no folder ${dirname(path)}.`);
    const names = readdirSync(folder)
      .filter((file) => file.endsWith('.json') && file !== 'schema.json')
      .map((file) => file.replace(/\.json$/, ''));
    throw new SettingsError(
      `There is no ${path}. The stages there are ${names.join(', ') || 'none'}. To create it, copy stages/prod.json to ${path} and adapt the copy.`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SettingsError(`${path} is not JSON: ${(error as Error).message}`);
  }
  refuseRepeatedNames(text, path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new SettingsError(`${path} must contain a JSON object.`);
}

/** Refuses a name that an object has twice, of which JSON would silently take the last. */
function refuseRepeatedNames(text: string, path: string): void {
  // JSON is YAML, whose names must differ. Their other errors do not concern JSON.
  const lineCounter = new LineCounter();
  const { errors } = parseDocument(text, { lineCounter, prettyErrors: false });
  const [repeated] = errors.filter(({ code }) => code === 'DUPLICATE_KEY');
  if (!repeated) return;
  const [start] = repeated.pos;
  const { line, col } = lineCounter.linePos(start);
  const [name] = /^"(?:[^"\\]|\\.)*"/.exec(text.slice(start)) ?? [];
  throw new SettingsError(
    `${path} has ${name} twice in one object, again in line ${line}, column ${col}. Delete one of them.`,
  );
}

function overridesIn(context: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(context)
      .filter(([key]) => key.startsWith(OVERRIDE_PREFIX))
      .map(([key, value]) => [key.slice(OVERRIDE_PREFIX.length), parsed(value)]),
  );
}

/** Parses a value of the command line: JSON or, failing that, a string. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
