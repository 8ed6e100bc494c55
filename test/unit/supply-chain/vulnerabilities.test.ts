import { expect, test } from 'vitest';
import { vulnerabilityReport } from '../../supply-chain/vulnerabilities.ts';

const audit = (vulnerabilities: object) =>
  vulnerabilityReport(
    JSON.stringify({ vulnerabilities, metadata: { dependencies: { total: 234 } } }),
  );

test('packages without known vulnerabilities are counted', () => {
  expect(audit({})).toEqual({
    isChecked: true,
    vulnerabilities: 0,
    text: '234 packages, 0 with known vulnerabilities.',
  });
});

test('each vulnerability is named with its severity, its versions and its cause', () => {
  const advisory = { title: 'Reads any file', url: 'https://example.com/1' };
  const report = audit({
    one: { severity: 'high', range: '<2.0.0', via: [advisory] },
    other: { severity: 'low', range: '*', via: ['one'] },
  });
  expect(report).toMatchObject({ isChecked: true, vulnerabilities: 2 });
  expect(report.text.split('\n')).toEqual([
    'high: one <2.0.0',
    '  Reads any file: https://example.com/1',
    'low: other *',
    '  through one',
    '234 packages, 2 with known vulnerabilities.',
  ]);
});

test('a registry that cannot be asked is reported as such, and not as a good result', () => {
  const report = vulnerabilityReport('{ "message": "405 Method Not Allowed", "error": {} }');
  expect(report).toMatchObject({ isChecked: false, vulnerabilities: 0 });
  expect(report.text).toMatch(/^NOT CHECKED: .*\(405 Method Not Allowed\)/);
});

test('anything else is an error', () => {
  expect(() => vulnerabilityReport('{}')).toThrow();
  expect(() => vulnerabilityReport('')).toThrow();
});
