import packageJson from 'customer-data-api/package.json' with { type: 'json' };

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g;
/** Lines of a difference that are all added, or all removed. */
const LONG_BLOCK = /^((?:2> )?(?:<(?:red|green)>)?[-+])(?![-+]{2}).*\n(?:\1.*\n){7,}/gm;
/** A hunk of a difference, and the lines around its changes. */
const HUNK = /^((?:2> )?)(?:<cyan>)?@@ .*\n(?:\1(?:[- +]|<(?:red|green)>).*\n)+/gm;
const UNCHANGED = /^(?:2> )? .*\n(?:(?:2> )? .*\n)+/gm;
/** The time before a scenario in which what it shows may have happened. */
const PAST_MS = 60_000;

/**
 * Replaces what differs from run to run by something of the same width: random ids by numbers, the
 * times of this run, also in sequence numbers, durations, and ports. Replaces the version of the
 * project by a word. Of a long block, it keeps the ends and the number of lines, and of the lines
 * around a change the ends.
 *
 * @param start when the scenario began.
 */
export function normal(text: string, start: number): string {
  const ids = [...new Set(text.match(UUID))].filter((id) => !id.startsWith('00000000-0000'));
  return text
    .replaceAll(UUID, (id) => {
      const index = ids.indexOf(id);
      return index < 0 ? id : `00000000-0000-0000-0000-${String(index + 1).padStart(12, '0')}`;
    })
    .replaceAll(TIME, (time, fraction) =>
      Date.parse(time) < start - PAST_MS || Date.parse(time) > Date.now() + PAST_MS
        ? time
        : `2026-01-01T00:00:00${fraction ? '.000' : ''}Z`,
    )
    .replaceAll(packageJson.version, 'VERSION')
    .replaceAll(/(127\.0\.0\.1:)\d{4,5}/g, '$13000')
    .replaceAll(/(?<=\bby\s(?:2> )?)\d\d:\d\d:\d\d(?=Z)/g, '00:00:10')
    .replaceAll(/(?<=was live for )\d+ s/g, '1 s')
    .replaceAll(/(?<=\d\d:\d\d:\d\dZ {2})\d+ s +/g, '1 s       ')
    .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?Z(?= )/g, (_, seconds) =>
      seconds ? '2026-01-01 00:00:00Z' : '2026-01-01 00:00Z',
    )
    .replaceAll(/"liveFor":\d+/g, '"liveFor":1')
    .replaceAll(/(?<= {2})\d{4}-\d\d-\d\d(?= {2})/g, '2026-01-01')
    .replaceAll(/ +\d+ ms\b/g, '     1 ms')
    .replaceAll(/"milliseconds":\d+/g, '"milliseconds":1')
    .replaceAll(/(?<="(?:eventId|sequenceNumber)":"0+)\d{16}(?=")/g, '1'.repeat(16))
    .replaceAll(HUNK, (hunk) => hunk.replaceAll(UNCHANGED, nearest))
    .replaceAll(LONG_BLOCK, (block, prefix) => {
      const [first, second, ...others] = block.trimEnd().split('\n');
      const last = others.pop();
      return `${[first, second, `${prefix} … ${others.length} lines`, last].join('\n')}\n`;
    });
}

/** The first and the last of some lines. */
function nearest(lines: string): string {
  const all = lines.trimEnd().split('\n');
  return all.length > 2 ? `${[all[0], all.at(-1)].join('\n')}\n` : lines;
}
