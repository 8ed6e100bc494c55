import { expect, test } from 'vitest';
import { licenceReport } from '../../supply-chain/licences.ts';

const component = (name: string, ...licenses: object[]) => ({
  ...{ name, version: '1.2.3', licenses, properties: [] as { name: string; value: string }[] },
});
const id = (licence: string) => ({ license: { id: licence } });
const report = (...components: object[]) =>
  licenceReport(JSON.stringify({ bomFormat: 'CycloneDX', components }));

test('the report lists the packages by licence, the most frequent first', () => {
  expect(
    report(component('b', id('MIT')), component('c', id('ISC')), component('a', id('MIT'))),
  ).toBe('MIT (2): a@1.2.3, b@1.2.3\nISC (1): c@1.2.3');
});

test.each([
  ['an expression', [{ expression: 'MIT OR Apache-2.0' }], 'MIT OR Apache-2.0'],
  ['a name', [{ license: { name: 'Our own' } }], 'Our own'],
  ['several licences', [id('MIT'), id('ISC')], 'MIT AND ISC'],
  ['no licence', [], 'none stated'],
])('a package may have %s', (_, licenses, shown) => {
  expect(report(component('a', ...licenses))).toBe(`${shown} (1): a@1.2.3`);
});

test('workspaces of the project are not listed', () => {
  const ours = component('client');
  ours.properties.push({ name: 'cdx:npm:package:private', value: 'true' });
  expect(report(component('a', id('MIT')), ours)).toBe('MIT (1): a@1.2.3');
});

test('something else than a bill of materials is an error', () => {
  expect(() => licenceReport('{}')).toThrow();
  expect(() => licenceReport('')).toThrow();
});
