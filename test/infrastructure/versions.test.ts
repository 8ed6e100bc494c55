import { expect, test } from 'vitest';
import { QUEUE_FUNCTION, RECORDING_FUNCTION } from '../../lib/function-names.ts';
import { templateFor } from '../support/stack.ts';

/*
 * When a deployment publishes new versions of the functions. The golden template has how they get
 * their calls.
 */

const versionsOf = (settings = {}) =>
  Object.keys(templateFor(settings).findResources('AWS::Lambda::Version')).sort();

test('a function gets a new version when its configuration changes', () => {
  const changed = versionsOf({ requestDateWindowSeconds: 600 });
  const same = versionsOf().filter((id) => changed.includes(id));
  // The functions of the queue and of the history do not know that setting.
  expect(same.map((id) => id.replace(/CurrentVersion.*/, ''))).toEqual([
    RECORDING_FUNCTION,
    QUEUE_FUNCTION,
  ]);
});

test.each([
  [{ tags: { team: 'loyalty' }, reservedConcurrency: { GetConfig: 5 } }],
  [{ gradualDeployment: true }],
])('but not when %j changes something else', (settings) => {
  expect(versionsOf(settings)).toEqual(versionsOf());
});
