import { expect, test } from 'vitest';
import { PLACE, templateOf, VARIANTS } from './variants.ts';

/*
 * Lambda refuses a second version of a function that has not changed, so the id of a version in the
 * template may only change together with the function.
 */

function versionsOf(settings: object, context: Readonly<Record<string, unknown>> = {}): string[] {
  const template = templateOf({ ...settings }, context);
  return Object.keys(template.findResources('AWS::Lambda::Version'));
}

const versions = versionsOf({});

test.each(Object.entries({ prod: {}, ...VARIANTS }))(
  'adding account and Region to the stage publishes no version: %s',
  (_, settings) => {
    expect(versionsOf({ ...settings, ...PLACE })).toEqual(versionsOf(settings));
  },
);

test('another bootstrap qualifier publishes no version', () => {
  expect(versionsOf({}, { '@aws-cdk/core:bootstrapQualifier': 'another' })).toEqual(versions);
});

test('a changed variable publishes new versions of the functions that read it', () => {
  const changed = versionsOf({ configCacheSeconds: 1 });
  expect(changed.length).toBe(versions.length);
  expect(changed.filter((id) => versions.includes(id)).length).toBe(3);
});

test('changed code publishes a version of each function', () => {
  // Bundled, the code is another than that of the source folders, which other stacks here have.
  const bundled = versionsOf({}, { 'aws:cdk:bundling-stacks': ['**'] });
  expect(bundled.length).toBe(versions.length);
  expect(bundled.filter((id) => versions.includes(id))).toEqual([]);
});
