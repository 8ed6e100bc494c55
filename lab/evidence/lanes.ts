import type { Mistake } from '../project-copy.ts';

/** A lane: a program that shows something of the product. */
export interface Lane {
  /** The name of its row in `lab/EVIDENCE.md`. */
  readonly name: string;
  /** The script of package.json that runs it whole. */
  readonly script: string;
  /** The arguments of Node that run it whole, with `SEARCH=1`. */
  readonly whole: readonly string[];
  /** Its smallest form; undefined if `.ci/run` runs it in a lane of its own. */
  readonly smoke?: SmallForm;
  /** The files and folders that it depends on. */
  readonly files: readonly string[];
  /** Takes the figures out of what the whole run prints. */
  readonly figures: (output: string) => string;
}

/** The smallest form of a lane, which takes about 20 seconds. */
interface SmallForm {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A mistake that it finds; undefined if the lane makes its own. */
  readonly mistake?: Mistake;
  /** Matches what it prints when it finds the mistake. */
  readonly finds: RegExp;
  /** A file whose changes since the last whole run ask for another one. */
  readonly wholeAfter?: string;
}

/** Matches what a lane prints that cannot run on this machine. */
export const SKIPPED = /^skipped: /m;

const SERVICE = ['core', 'functions', 'lib'] as const;
const VITEST = ['node_modules/vitest/vitest.mjs', 'run'] as const;

/** Joins all lines that match. */
const lines = (pattern: RegExp) => (output: string) =>
  [...output.matchAll(pattern)].map(([line]) => line.trim().replace(/\s+/g, ' ')).join('; ');
const count = (pattern: RegExp, output: string) => [...output.matchAll(pattern)].length;

export const LANES: readonly Lane[] = [
  {
    name: 'search',
    script: 'test:search',
    whole: [...VITEST, '--project', 'unit', '--project', 'integration'],
    files: [...SERVICE, 'packages', 'test'],
    figures: lines(/^ +Tests .*/gm),
  },
  {
    name: 'proof',
    script: 'proof',
    whole: ['lab/proof/main.ts', '--require', '--full'],
    files: ['lab/proof', 'core', 'functions', 'packages/editor', 'packages/on-call'],
    figures: (output) =>
      `${count(/ holds /g, output)} configurations hold, ${count(/ violates /g, output)} mutants violate their property, ${lines(/^Replaying.*/gm)(output)}`,
  },
  {
    name: 'verify',
    script: 'verify',
    whole: ['lab/verify/main.ts', '--require'],
    files: ['lab/verify', ...SERVICE, 'packages/local'],
    figures: lines(/^\S+ +(?:NOT )?linearizable/gm),
  },
  {
    name: 'track-record',
    script: 'verify',
    whole: ['lab/verify/main.ts', '--require', '--track-record'],
    files: ['lab/verify', ...SERVICE, 'packages/local'],
    figures: lines(/^\d+ of \d+ mistakes.*/gm),
  },
  {
    name: 'mistakes',
    script: 'mistakes',
    whole: ['lab/mistakes/main.ts'],
    smoke: {
      args: ['lab/mistakes/main.ts', '--only', 'search.ts'],
      finds: /^1 of 1 mistakes/m,
    },
    files: ['lab/mistakes', 'packages/editor', 'packages/on-call', 'packages/command-line'],
    figures: lines(/^\d+ of \d+ mistakes.*/gm),
  },
  {
    name: 'e2e',
    script: 'e2e',
    whole: ['lab/e2e/main.ts'],
    files: ['lab/e2e', 'lab/requirements.txt', ...SERVICE, 'packages'],
    figures: (output) => `${count(/^done in /gm, output)} steps`,
  },
  {
    name: 'clients',
    script: 'test:clients',
    whole: ['lab/generated-clients/main.ts', '--require'],
    smoke: {
      args: ['lab/generated-clients/main.ts', '--require'],
      env: { ONLY_CLIENT: 'go' },
      mistake: {
        file: 'lab/generated-clients/go/main.go',
        old: 'answer, err := run(line)',
        new: '_, answer, err := line, result{}, error(nil)',
      },
      finds: /FAIL/,
      wholeAfter: 'openapi.json',
    },
    files: [
      'openapi.json',
      'lab/generated-clients',
      'lab/requirements.txt',
      'examples/apps/kotlin',
      'packages/sdk/src/answers-schema.ts',
      'packages/sdk/test-vectors',
    ],
    figures: lines(/^ +Tests .*/gm),
  },
  {
    name: 'queues',
    script: 'queues',
    whole: ['lab/queues/main.ts', '--require'],
    smoke: {
      args: ['lab/queues/main.ts', '--require', '--small'],
      finds: /^kotlin, mistake found/m,
    },
    files: ['lab/queues', 'examples/apps/kotlin', 'packages/sdk/src', 'packages/sdk/test-vectors'],
    figures: lines(/^(?:sdk|kotlin), .*/gm),
  },
  {
    name: 'swift',
    script: 'swift',
    whole: ['lab/swift/main.ts'],
    smoke: { args: ['lab/swift/main.ts', '--small'], finds: /^swift, mistake found/m },
    files: ['lab/swift', 'lab/queues', 'examples/apps/swift', 'packages/sdk/test-vectors'],
    figures: lines(/^(?:swift, |skipped: ).*/gm),
  },
  {
    name: 'react-native',
    script: 'test:react-native',
    whole: ['lab/react-native/main.ts', '--require'],
    smoke: {
      args: ['lab/react-native/main.ts', '--require'],
      env: { ONLY_PLATFORM: 'ios' },
      mistake: {
        file: 'packages/sdk/src/react-native/field.tsx',
        old: 'areEqualAnswers(before.answers, now.answers) ? same : withAnswers(same, now.answers)',
        new: 'withAnswers(same, now.answers)',
      },
      finds: /FAIL/,
    },
    files: ['lab/react-native', 'packages/sdk'],
    figures: lines(/^(?:Tests:| +Tests ) .*/gm),
  },
  {
    name: 'explore',
    script: 'explore',
    whole: ['lab/explorer/main.ts', '--require'],
    smoke: {
      args: ['lab/explorer/main.ts', '--require'],
      env: { EXPLORE_SECONDS: '15' },
      mistake: {
        file: 'packages/console/page/src/main.tsx',
        old: 'render(<App />',
        new: 'console.error("a mistake");\nrender(<App />',
      },
      finds: /noConsoleErrors/,
    },
    files: ['lab/explorer', 'packages/console'],
    figures: lines(/^ +Tests .*/gm),
  },
  {
    name: 'bench',
    script: 'bench',
    whole: ['lab/bench/main.ts'],
    smoke: {
      args: ['lab/bench/main.ts', '--once', '--only', 'cold', 'language'],
      mistake: {
        file: 'lab/bench/candidates/peers/authorize-user.ts',
        old: 'claims[USER_ID_CLAIM] !== userId',
        new: 'false',
      },
      finds: /was left out because/,
    },
    files: ['lab/bench', ...SERVICE],
    figures: lines(/^.* (?:holds|DOES NOT HOLD)$/gm),
  },
];
