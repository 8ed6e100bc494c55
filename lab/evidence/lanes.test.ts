import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import ofCommands from '../mistakes/mistakes.json' with { type: 'json' };
import { MISTAKES as QUEUE_MISTAKES } from '../queues/mistakes.ts';
import { FIELD_MISTAKE } from '../swift/mistake.ts';
import trackRecord from '../verify/track-record.json' with { type: 'json' };
import { LANES } from './lanes.ts';

const MISTAKES = [
  ...LANES.flatMap(({ smoke }) => smoke?.mistake ?? []),
  ...QUEUE_MISTAKES.flatMap(({ sdk, kotlin, swift }) => [sdk, kotlin, swift]),
  FIELD_MISTAKE,
  ...trackRecord,
  ...ofCommands,
];

test.each(MISTAKES)('the mistake in $file can be made: $old', async ({ file, old }) => {
  const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
  expect(text.split(old)).toHaveLength(2);
});
