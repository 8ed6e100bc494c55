import { execFileSync } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import { shellCommand } from '../../../program/suggestion.ts';

afterEach(() => vi.unstubAllEnvs());

/** Words, with how cmd.exe and PowerShell read them for `customer-data.cmd`. */
const WORDS: readonly (readonly [word: string, cmd: string, powershell: string])[] = [
  ['--user', '--user', '--user'],
  ['demo@2', 'demo@2', 'demo@2'],
  ['C:\\clients\\demo.yaml', 'C:\\clients\\demo.yaml', 'C:\\clients\\demo.yaml'],
  ['C:\\my clients\\', '"C:\\my clients\\\\"', `'"C:\\my clients\\\\"'`],
  ['auth0|7', '"auth0|7"', `'"auth0|7"'`],
  ['a&b^c', '"a&b^c"', `'"a&b^c"'`],
  ['a,b;@x', '"a,b;@x"', `'"a,b;@x"'`],
  ["O'Neil’s $1 `x`", '"O\'Neil’s $1 `x`"', `'"O''Neil’’s $1 \`x\`"'`],
  ['50%PATH%', '"50"^%"PATH"^%""', `'"50"^%"PATH"^%""'`],
  ['say "hi\\"', '"say ""hi\\\\"""', `'"say ""hi\\\\"""'`],
  ['-a.b', '"-a.b"', `'"-a.b"'`],
  ['', '""', `'""'`],
];

test.each([
  ['C:\\Windows\\system32\\cmd.exe', 1],
  ['C:\\Windows\\system32\\cmd.exe /c C:\\api\\customer-data.cmd doctor', 2],
] as const)(
  'with customer-data.cmd, a command can be pasted into its shell: %s',
  (started, shell) => {
    vi.stubEnv('CUSTOMER_DATA_CMD', started);
    for (const words of WORDS) {
      expect(shellCommand([words[0]])).toBe(`.\\customer-data ${words[shell]}`);
    }
  },
);

test('with ./customer-data, a command can be pasted into a POSIX shell', () => {
  const words = WORDS.map(([word]) => word);
  const line = shellCommand(words).replace(/^\S+/, "printf '%s\\n'");
  expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(`${words.join('\n')}\n`);
});
