import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as LOG_MESSAGES from '../../core/runtime/log-messages.ts';
import { PROJECT, readDocument } from '../support/documents/document.ts';
import { templateFor } from '../support/stack.ts';
import { EVERY_ALARM } from './variants.ts';

const template = templateFor(EVERY_ALARM);

/** The saved queries that print a log message, besides those that print all. */
function queriesOf(message: string): string[] {
  return Object.values(template.findResources('AWS::Logs::QueryDefinition'))
    .map(({ Properties }) => Properties)
    .filter(({ QueryString }) => {
      const texts = [...String(QueryString).matchAll(/"([A-Z][^"]+ [^"]+)"|\/\^([^/]+)\//g)];
      return texts.some(
        ([, text, start]) => text === message || (start && message.startsWith(start)),
      );
    })
    .map(({ Name }) => String(Name).replace(/.*\//, ''));
}

/** The errors that functions log: a text, or the name of one that programs look for. */
async function loggedErrors(): Promise<string[]> {
  const found: string[] = [];
  for (const room of ['functions', 'core']) {
    const folder = fileURLToPath(new URL(room, PROJECT));
    for (const file of (await readdir(folder, { recursive: true })).sort()) {
      if (!file.endsWith('.ts')) continue;
      const source = await readFile(join(folder, file), 'utf8');
      for (const [, text, name = ''] of source.matchAll(
        /logger\.error\(\s*(?:'([^']+)'|([A-Z_]+))/g,
      )) {
        found.push(text ?? String(Object(LOG_MESSAGES)[name]));
      }
    }
  }
  return found;
}

test('the runbook says what to do about each error in the log', async () => {
  const { text } = await readDocument('docs/runbook.md');
  const logged = await loggedErrors();
  expect(logged.length).toBeGreaterThan(10);
  const unexplained = logged.filter(
    (message) =>
      !queriesOf(message).some((query) => text.includes(`\`query ${query}\``)) &&
      !text.includes(message),
  );
  expect(unexplained).toEqual([]);
});
