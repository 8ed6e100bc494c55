import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../bench/measurements/rounds.ts';

const candidates = (size: number) => [...'ABCDEFGH'].slice(0, size);
/** Rounds in which every candidate has had every place, forwards and backwards. Rounds before the first one warm up. */
const rounds = (size: number) => Array.from({ length: 2 * size }, (_, round) => round - 2);

describe.each([1, 2, 3, 4, 5, 6, 7, 8])('The rounds of %i candidates', (size) => {
  it('each contain all of them', () => {
    for (const round of rounds(size)) {
      expect(inTurn(candidates(size), round).toSorted()).toEqual(candidates(size));
    }
  });

  it('let each candidate be the first', () => {
    const first = rounds(size).map((round) => inTurn(candidates(size), round)[0]);
    expect([...new Set(first)].toSorted()).toEqual(candidates(size));
  });
});

describe.each([4, 5, 6, 7, 8])('The rounds of %i candidates', (size) => {
  it('let each candidate follow each other one, and never itself', () => {
    const order = rounds(size).flatMap((round) => inTurn(candidates(size), round));
    const follows = (one: string, other: string) =>
      order.filter((each, at) => each === other && order[at + 1] === one).length;

    for (const one of candidates(size)) {
      expect(follows(one, one)).toBe(0);
      for (const other of candidates(size).filter((each) => each !== one)) {
        expect(follows(one, other)).toBeGreaterThanOrEqual(1);
        expect(follows(one, other)).toBeLessThanOrEqual(4);
      }
    }
  });
});
