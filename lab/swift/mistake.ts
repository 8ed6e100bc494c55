import type { Mistake } from '../project-copy.ts';

/** A mistake that the test vectors must find: two spellings of a text are equal in Swift. */
export const FIELD_MISTAKE: Mistake = {
  file: 'examples/apps/swift/Sources/CustomerData/Fields.swift',
  old: 'optionsArray.contains { isSame($0.value, answer) }',
  new: 'optionsArray.contains { $0.value == answer }',
};
