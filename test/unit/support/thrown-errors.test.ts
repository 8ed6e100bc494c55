import { expect, test } from 'vitest';

test.for([undefined, '', 0])('%j is not taken for the error that is expected', async (thrown) => {
  const reject = () => Promise.reject(thrown);
  const fail = () => {
    throw thrown;
  };
  for (const expected of [undefined, 'No.', /No/]) {
    const refusal = `expected an error to be thrown but got ${thrown}`;
    expect(() => expect(fail).toThrow(expected)).toThrow(refusal);
    await expect(expect(reject).rejects.toThrow(expected)).rejects.toThrow(refusal);
  }
});

test('an error is one, and no error is none', async () => {
  const error = new Error('No.');
  expect(() => {
    throw error;
  }).toThrow('No.');
  await expect(Promise.reject(error)).rejects.toThrow('No.');
  expect(() => 0).not.toThrow();
  await expect(Promise.resolve(0)).resolves.not.toThrow();
});
