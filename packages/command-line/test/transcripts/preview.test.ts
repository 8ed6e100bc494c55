import { PIZZA } from 'customer-data-api/testing/configurations';
import { expect } from 'vitest';
import { client } from '../support/transcripts/clients.ts';
import { scenario } from '../support/transcripts/desk.ts';

scenario(
  'preview/file',
  'The screens of a file are drawn, also of one with mistakes.',
  async (desk) => {
    const { run, write, edit } = desk;
    await write('pizza.yaml', PIZZA);
    await run('config preview pizza.yaml');
    await edit('pizza.yaml', 'fieldType: drop', 'fieldType: drip');
    await edit('pizza.yaml', 'maxChars: 20', 'maxChars: 0');
    await run('config preview pizza.yaml');
    const { stdout } = await run('config preview pizza.yaml --json | cat');
    // What the service derives is there, and what apps do not get is not.
    expect(JSON.parse(stdout).fields).toMatchObject([{ id: '2', subFieldB: {} }]);
    await edit('pizza.yaml', 'clientId: pizza', 'clientId: pasta');
    await run('config preview pizza.yaml');
    await run('config preview nothing.yaml');
  },
);

scenario(
  'preview/odd',
  'Fields on no screen, texts that are too long, and control characters.',
  async (desk) => {
    const { run, put } = desk;
    const text = {
      subType: 'text',
      placeHolderText: 'x'.repeat(40),
      allowCopies: false,
      maxChars: 4,
      alpha: true,
      numbers: false,
      symbols: true,
    };
    const drop = {
      subType: 'drop',
      placeHolderText: 'y'.repeat(39),
      allowCopies: false,
      optionsArray: [{ value: 'v', display: `${'A make '.repeat(12)}\u001b` }],
    };
    const field = { fieldType: 'text', mandatory: false, allowMultiple: true, subFieldA: text };
    const car = {
      fieldType: 'combo',
      fieldName: `Car\u001b[2J ${'or bus '.repeat(12)}`,
      addButtonText: 'Another '.repeat(10),
      subFieldA: drop,
      subFieldB: { ...text, placeHolderText: '\u{1f355}'.repeat(41) },
    };
    const fields = [
      { ...field, fieldName: '', addButtonText: '', appUIs: ['profile'] },
      { ...field, ...car },
      { ...field, fieldName: 'Fax or '.repeat(12), mandatory: true, appUIs: [] },
    ].map((one, index) => ({ ...one, id: String(index + 1) }));
    await put(client('odd', { fields, lastFieldId: 3 }));
    await run('config preview odd --local');
  },
);
