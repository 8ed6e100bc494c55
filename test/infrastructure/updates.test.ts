import { readFile } from 'node:fs/promises';
import { checkOutputs } from 'customer-data-api-deployment/outputs';
import { expect, test } from 'vitest';
import { releasedVersions } from '../support/released-documents.ts';
import { changedByUpdate, lostByUpdate, type Resources } from '../support/stateful-resources.ts';
import { prodStage, templateOf } from './variants.ts';

/*
 * An update never replaces a table, the user pool, an app client, the API, the bus or a queue, and
 * weakens none of them: sign-up, TLS, encryption and protection change only on purpose.
 */

const VERSIONS = await releasedVersions();
/** A release. 0.1.0 has no outputs that commands of today need. */
type Release = Resources & { readonly Outputs?: readonly string[] };
const releases: readonly Release[] = await Promise.all(
  VERSIONS.map(async (version) =>
    JSON.parse(await readFile(new URL(`releases/${version}.json`, import.meta.url), 'utf8')),
  ),
);
const current = prodStage.template as Resources;

test.each(releases)(
  'an update of stage prod from release $# keeps every stateful resource',
  (released) => {
    expect(Object.keys(released.Resources).length).toBeGreaterThan(7);
    expect(lostByUpdate(released, current)).toEqual([]);
  },
);

test('commands of the last release work with this stack, and those of today with its stack', () => {
  const { Outputs = [] } = releases.at(-1) ?? {};
  expect(Object.keys(prodStage.template.Outputs)).toEqual(expect.arrayContaining([...Outputs]));
  const outputs = Object.fromEntries(Outputs.map((name) => [name, 'value']));
  expect(() => checkOutputs(outputs, 'The last release')).not.toThrow();
});

test('an update of stage prod from the last release changes in place what is listed here', () => {
  expect(changedByUpdate(releases.at(-1) ?? { Resources: {} }, current)).toEqual([]);
});

const schemaOf = (settings: object) =>
  Object.values(templateOf({ ...settings }).findResources('AWS::Cognito::UserPool'))[0]?.Properties
    .Schema;

test('a log group that stays behind can be imported when its setting is switched on again', () => {
  const settings = { accessLogs: true, gatewayLogRole: 'existing', heartbeat: true };
  const groups = Object.values(
    templateOf({ ...settings, retainData: true }).findResources('AWS::Logs::LogGroup'),
  );
  const retained = groups.filter(({ DeletionPolicy }) => DeletionPolicy !== 'Delete');
  expect(retained.length).toBeGreaterThan(6);
  // CloudFormation imports no name that has a reference.
  for (const { Properties } of retained)
    expect(Properties.LogGroupName).toEqual(expect.any(String));
});

test('a claim changes there and back without a change of the user pool', () => {
  const declared = { userAttributes: ['userId'] };
  const schema = schemaOf(declared);
  expect(schema).toEqual([{ AttributeDataType: 'String', Mutable: true, Name: 'userId' }]);
  for (const userIdClaim of ['custom:userId', 'cognito:username', 'none']) {
    expect(schemaOf({ ...declared, userIdClaim })).toEqual(schema);
  }
});

test.each(['sub', 'custom:userId', 'none'])(
  'apps read the declared attributes, and write none of them: userIdClaim %s',
  (userIdClaim) => {
    const settings = { userIdClaim, userAttributes: ['userId', 'tier'], appClients: ['A', 'B'] };
    const clients = Object.values(
      templateOf(settings).findResources('AWS::Cognito::UserPoolClient'),
    );
    expect(clients.length).toBe(2);
    for (const { Properties } of clients) {
      const { ReadAttributes, WriteAttributes } = Properties;
      expect(ReadAttributes).toEqual(
        expect.arrayContaining(['custom:userId', 'custom:tier', 'email', 'email_verified']),
      );
      expect(WriteAttributes).toEqual(expect.arrayContaining(['email', 'phone_number']));
      expect(WriteAttributes.join()).not.toMatch(/custom:|_verified/);
    }
  },
);
