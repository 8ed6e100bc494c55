import { expect, test } from 'vitest';
import { CommandError } from '../../../core/platform/command-error.ts';
import { DEFAULT_PORT, readPort } from '../../../local/port.ts';
import { DOCUMENT } from '../../../openapi/validation.ts';

test('without PORT, the server is where the OpenAPI document says', () => {
  const { base_url: baseUrl } = DOCUMENT.servers[0].variables;
  expect(baseUrl.default).toBe(`http://127.0.0.1:${DEFAULT_PORT}`);
  expect(readPort(undefined)).toBe(DEFAULT_PORT);
});

test.each(['0', '1', '8080', '65535'])('%s is a port', (text) => {
  expect(readPort(text)).toBe(Number(text));
});

test.each(['', ' ', '-1', '65536', '1.5', '0x10', 'abc', '80a'])('%j is no port', (text) => {
  expect(() => readPort(text)).toThrow(
    new CommandError(`PORT is ${JSON.stringify(text)}; it must be a number from 0 to 65535.`),
  );
});
