import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../support/service.ts';
import { documentedCommands } from './documented-commands.ts';

const { apps } = await documentedCommands();

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('the document shows how to run an app in each language', () => {
  expect(apps.map((script) => /examples\/apps\/(\w+)/.exec(script)?.[1])).toEqual([
    'typescript',
    'kotlin',
    'java',
  ]);
});

describe('an app of the examples gets the configuration and applies a code', () => {
  test.each(apps)('%s', async (script) => {
    const promoEvents = await service.promoEvents();
    const here = script
      .replaceAll('http://127.0.0.1:3000', service.outputs.ApiUrl)
      .replaceAll('npm run --silent token', `$& -- --folder ${service.folder}`);
    const { stdout } = await promisify(execFile)('/bin/sh', ['-euc', here]);
    // Maven resets the colours of the terminal.
    const printed = stripVTControlCharacters(stdout).trim();
    expect(printed.split('\n').slice(-5)).toEqual([
      'Company: text of at most 40 characters',
      'Preferred contact: one of By e-mail, By phone, Please do not',
      'Car: one of Volkswagen, Toyota, Another make and text of at most 10 characters',
      "Child's year of birth: text of at most 4 characters",
      'applied: The promo code was applied.',
    ]);
    expect(await service.promoEvents()).toHaveLength(promoEvents.length + 1);
  });
});
