import { readFile } from 'node:fs/promises';
import { ChallengeNameType } from '@aws-sdk/client-cognito-identity-provider';
import { expect, test } from 'vitest';
import { AWS_ANSWERS } from '../../../../functions/canary/aws-answers.ts';

/** The errors of a call in the declarations of AWS's SDK, which have the text of its reference. */
async function errorsOf(client: string, call: string): Promise<string[]> {
  const entry = import.meta.resolve(`@aws-sdk/client-${client}`);
  const declarations = new URL(`../dist-types/commands/${call}Command.d.ts`, entry);
  const listed = (await readFile(declarations, 'utf8')).matchAll(/@throws \{@link (\w+)\} \(/g);
  return [...listed].flatMap(([, name]) => name ?? []);
}

const answered = (call: keyof typeof AWS_ANSWERS) =>
  AWS_ANSWERS[call].flatMap(({ names }): readonly string[] => names);

test('the canary knows each challenge and each error of a sign-in that AWS lists, once', async () => {
  const errors = await errorsOf('cognito-identity-provider', 'InitiateAuth');
  expect(errors.length).toBeGreaterThan(15);
  const listed = [...Object.values(ChallengeNameType), ...errors, 'SECRET_HASH'];
  expect(answered('InitiateAuth').toSorted()).toEqual(listed.toSorted());
});

test('the canary knows each error of the secret that AWS lists, and a missing permission, once', async () => {
  const errors = await errorsOf('secrets-manager', 'GetSecretValue');
  expect(errors.length).toBeGreaterThan(4);
  const listed = [...errors, 'AccessDeniedException'];
  expect(answered('GetSecretValue').toSorted()).toEqual(listed.toSorted());
});
