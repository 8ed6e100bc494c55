import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTime } from '../../../promo-events/time.ts';

const Time = fc.date({
  min: new Date('2020-01-01'),
  max: new Date('2030-01-01'),
  noInvalidDate: true,
});
const iso = (time: Date) => time.toISOString();
/** True in the hour after a clock was set back. */
const isShownTwice = (time: Date) =>
  Date.parse(time.toLocaleString('sv-SE').replace(' ', 'T')) !== time.getTime();
const seconds = (time: Date) => new Date(time).setMilliseconds(0);

test('a time that a command prints is that time', () => {
  fc.assert(
    fc.property(Time, Time, (time, now) => {
      const start = iso(new Date(seconds(time)));
      for (const printed of [
        start.replace('.000', ''),
        start.replace('.000', '').replace('T', ' '),
        ...(isShownTwice(new Date(start)) ? [] : [new Date(start).toLocaleString('sv-SE')]),
        `${start}.`,
        ` ${start}: `,
        start.replace('.000Z', ' UTC'),
        start.replace('.000Z', '+0000'),
        start.replace('T0', ' ').toLowerCase(),
      ]) {
        expect(readTime(printed, now), printed).toEqual({ start, end: start });
      }
      expect(readTime(iso(time), now)?.start).toBe(iso(time));
    }),
  );
});

test('a time without a day is of today, where the clock shows it', () => {
  fc.assert(
    fc.property(Time, (now) => {
      const start = iso(new Date(seconds(now)));
      expect(readTime(`${start.slice(11, 19)}Z`, now)?.start).toBe(start);
      fc.pre(!isShownTwice(new Date(start)));
      expect(readTime(new Date(start).toLocaleTimeString('sv-SE'), now)?.start).toBe(start);
    }),
  );
});

test('days follow each other: the end of one is the beginning of the next', () => {
  fc.assert(
    fc.property(Time, (now) => {
      const [yesterday, today] = ['yesterday', 'today'].map((day) => readTime(day, now));
      expect(yesterday?.end).toBe(today?.start);
      expect(readTime('Yesterday', now)).toEqual(yesterday);
      expect(readTime(now.toLocaleDateString('sv-SE'), now)).toEqual(today);
      expect([today?.start, iso(now), today?.end].toSorted()).toEqual([
        today?.start,
        iso(now),
        today?.end,
      ]);
    }),
  );
});
