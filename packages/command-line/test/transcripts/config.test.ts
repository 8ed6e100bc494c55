import { NO_RESPONSE } from 'customer-data-api/testing/aws';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { answersSchema } from 'customer-data-api-sdk/src/answers-schema.ts';
import { expect, vi } from 'vitest';
import { parse } from 'yaml';
import { client, FIRST_KEY } from '../support/transcripts/clients.ts';
import { CTRL_C, type Desk, STACK, scenario } from '../support/transcripts/desk.ts';

/** Plays a scenario with the function that records versions. */
function recorded(name: string, title: string, play: (desk: Desk) => Promise<void>): void {
  scenario(`config/${name}`, title, play, { records: true });
}

/**
 * Plays a scenario with the client `pizza`, which has the fields of `pizza.yaml` as its version 2.
 */
function published(name: string, title: string, play: (desk: Desk) => Promise<void>): void {
  recorded(name, title, async (desk) => {
    await desk.put(client('pizza'));
    await desk.write('pizza.yaml', PIZZA);
    await desk.meanwhile('config publish pizza.yaml -m First --local --yes');
    await play(desk);
  });
}

/** The configuration that apps get. */
const served = (desk: Desk) => desk.serves('pizza', FIRST_KEY);

/** Pulls the configuration into a new file, and replaces text in it. */
async function pulled(desk: Desk, file: string, from: string, to: string): Promise<void> {
  await desk.meanwhile(`config show pizza ${file} --local`);
  await desk.edit(file, from, to);
}

/** Checks that a file has what apps get, as if it were pulled. */
async function expectPulled({ read, unseen }: Desk, file: string): Promise<void> {
  const { stdout } = await unseen('config show pizza --local --json | cat');
  expect(parse(await read(file))).toEqual(JSON.parse(stdout));
}

recorded('publish', 'A first configuration is published, and changed again.', async (desk) => {
  const { run, ends, unseen, put, write, edit, head, item, read } = desk;
  await put(client('pizza', { owner: 'marketing' }));
  const draft = PIZZA.replace('lastFieldId: 3\n', '').replaceAll(/ {2}- id: "\d"\n {4}/g, '  - ');
  await write('pizza.yaml', draft.replace('Favourite pizza', '"Favourite pizza" # of all'));
  await ends('config check pizza.yaml', 'config publish pizza.yaml --local --dry-run');
  await run('config publish pizza.yaml -m First --local', 'y');
  expect((await served(desk)).data).toMatchObject({
    fields: [{ id: '1' }, {}, {}],
    lastFieldId: 3,
  });
  await head('pizza.yaml', 7);
  expect(await read('pizza.yaml')).toContain('"Favourite pizza" # of all\n');
  await run('config publish pizza.yaml -m Again --local --yes');
  await edit('pizza.yaml', 'mandatory: true', 'mandatory: false');
  await run('config publish pizza.yaml --local --dry-run --json | cat');
  const { stdout } = await unseen('config publish pizza.yaml -m Optional --local --yes --json');
  expect(JSON.parse(stdout)).toMatchObject({ clientId: 'pizza', version: 3, by: 'jane' });
  expect((await served(desk)).data.fields[1]).toMatchObject({ mandatory: false });
  expect(await item('pizza')).toMatchObject({ owner: 'marketing', appIds: new Set([FIRST_KEY]) });
});

published(
  'asked',
  'Nothing is published without a yes, and nothing saved meanwhile is lost.',
  async (desk) => {
    const { run, ends, meanwhile, edit, read, item } = desk;
    const before = await item('pizza');
    await edit('pizza.yaml', 'Volvo', 'Saab');
    const words = 'config publish pizza.yaml -m Saab --local';
    await run(words, 'n');
    await ends([words, ''], [words, 'yesterday'], [words, CTRL_C]);
    expect(await item('pizza')).toEqual(before);
    await run(words, async () => {
      await edit('pizza.yaml', 'Funghi', 'Mushrooms');
      return 'y';
    });
    expect(await read('pizza.yaml')).toContain('Mushrooms');
    expect(JSON.stringify(await served(desk))).toMatch(/Funghi.*Saab/);
    await pulled(desk, 'ann.yaml', 'Saab', 'Fiat');
    await ends([
      `${words} --merge`,
      async () => {
        await meanwhile('config publish ann.yaml -m Fiat --local --yes');
        return 'y';
      },
    ]);
    expect(JSON.stringify(await served(desk))).toMatch(/Funghi.*Fiat/);
  },
);

published(
  'not-published',
  'What is wrong with a command or a file changes nothing.',
  async (desk) => {
    const { run, ends, unseen, edit, write, item } = desk;
    const before = await item('pizza');
    await edit('pizza.yaml', 'Funghi', 'Mushrooms');
    const words = 'config publish pizza.yaml';
    await run(`${words} -m Change --local < /dev/null`);
    await run(`${words} --local --yes`);
    const changes = ['config rollback pizza@1'];
    const steps = ['widen pizza 5', 'finish pizza', 'stop pizza'].map((step) => `rollout ${step}`);
    for (const change of [words, ...changes, ...steps]) {
      for (const reason of ['', '\t', '\u00a0', '\u200b', '\ufffc']) {
        const { code, stderr } = await unseen(`${change} -m '${reason}' --local --yes`);
        expect([code, stderr], change).toEqual([2, expect.stringMatching(/^Missing -m/)]);
      }
    }
    await run('config publish nothing.yaml -m Change --local --yes');
    await ends('config publish pizza.yaml -m Change --yes', 'config check nothing.yaml');
    await edit('pizza.yaml', 'maxChars: 8', 'maxChars: eight');
    await run(`${words} -m Change --local --yes`);
    await write('syntax.yaml', 'clientId: pizza\nfields:\n  - fieldName: @Car\n');
    await run('config publish syntax.yaml -m Change --local --yes');
    await write('list.yaml', '- pizza\n');
    await run('config check list.yaml --json | cat');
    await write('new.yaml', PIZZA.replace('Make', 'Brand'));
    await write('other.yaml', `base: ${'f'.repeat(64)}\n${PIZZA.replace('Make', 'Brand')}`);
    for (const file of ['other.yaml', 'new.yaml']) {
      await run(`config publish ${file} -m Other --local --yes`);
    }
    expect(await item('pizza')).toEqual(before);
  },
);

published(
  'used-ids',
  'A new field gets no id that another one had, and lastFieldId no value that is a mistake.',
  async (desk) => {
    const { run, ends, meanwhile, cut, edit } = desk;
    await cut('pizza.yaml', '  - id: "3"');
    await meanwhile('config publish pizza.yaml -m Fewer --local --yes');
    await meanwhile('config show pizza next.yaml --local');
    await edit('next.yaml', '"2"', '"3"');
    await run('config publish next.yaml -m Reuse --local --yes');
    await ends('config check next.yaml', 'config publish next.yaml --local --dry-run');
    await edit('pizza.yaml', 'lastFieldId: 3', 'lastFieldId: 1732500000');
    await run('config publish pizza.yaml -m Mistake --local --yes');
    await edit('pizza.yaml', 'lastFieldId: 1732500000', 'lastFieldId: 2');
    await run('config publish pizza.yaml -m Lower --local --yes');
    expect((await served(desk)).data.lastFieldId).toBe(3);
  },
);

published(
  'two-operators',
  'The change of another operator is neither overwritten nor lost.',
  async (desk) => {
    const { run, ends, meanwhile, read } = desk;
    await pulled(desk, 'ann.yaml', 'Favourite pizza', 'Pizza');
    await pulled(desk, 'ben.yaml', 'Make', '"Brand" # of cars');
    await pulled(desk, 'same.yaml', 'Favourite pizza', '"Pizza" # of all');
    await desk.edit('ann.yaml', 'Funghi', 'Mushrooms');
    await meanwhile('config publish ann.yaml -m Shorter --local --yes');
    const words = 'config publish ben.yaml -m Brand --local';
    await run(`${words} --yes`);
    const file = await read('ben.yaml');
    await ends([`${words} --merge`, 'n'], `${words} --merge --dry-run`);
    expect(await read('ben.yaml')).toBe(file);
    await run(`${words} --merge`, 'y');
    expect(JSON.stringify(await served(desk))).toMatch(
      /"fieldName":"Pizza".*"placeHolderText":"Brand"/,
    );
    await expectPulled(desk, 'ben.yaml');
    expect(await read('ben.yaml.orig')).toBe(file);
    desk.note('A file whose changes are live already:');
    const same = await read('same.yaml');
    await ends('config publish same.yaml -m Same --local --merge --dry-run');
    expect(await read('same.yaml')).toBe(same);
    await run('config publish same.yaml -m Same --local --merge --yes');
    await expectPulled(desk, 'same.yaml');
    expect(await read('same.yaml.orig')).toBe(same);
  },
);

published(
  'one-list',
  'Two operators change one list of options: both changes are kept, if each field has its id.',
  async (desk) => {
    const { run, ends, meanwhile, edit, item, put } = desk;
    const funghi = '        - value: f\n          display: Funghi\n';
    await pulled(desk, 'ann.yaml', funghi, '');
    await pulled(
      desk,
      'ben.yaml',
      funghi,
      `${funghi}${funghi.replace('f', 'q').replace('Funghi', 'Quattro')}`,
    );
    await meanwhile('config publish ann.yaml -m "Sold out" --local --yes');
    await ends('config publish ben.yaml -m Quattro --local --yes --merge');
    expect((await served(desk)).data.fields[0].subFieldA.optionsArray).toEqual([
      { value: 'm', display: 'Margherita' },
      { value: 'q', display: 'Quattro' },
    ]);
    await edit('ben.yaml', 'Quattro', 'Four');
    const stored = await item('pizza');
    const byHand = JSON.parse(JSON.stringify(stored?.fields).replace('"id":"2"', '"id":"1"'));
    await put({ ...stored, fields: byHand });
    await run('config publish ben.yaml -m Four --local --yes --merge');
  },
);

published(
  'option-again',
  'A new option whose text had another value is told, and stays as it is written.',
  async (desk) => {
    const { run, ends, meanwhile, edit, item } = desk;
    const funghi = '        - value: f\n          display: Funghi\n';
    await pulled(desk, 'pizza2.yaml', funghi, '');
    await meanwhile('config publish pizza2.yaml -m "Sold out" --local --yes');
    await edit('pizza2.yaml', 'Make', 'Brand');
    await meanwhile('config publish pizza2.yaml -m Brand --local --yes');
    await edit('pizza2.yaml', 'Margherita\n', `Margherita\n${funghi.replace('f', 'funghi')}`);
    await run('config publish pizza2.yaml -m "In season" --local --yes');
    expect(JSON.stringify((await item('pizza'))?.fields)).toContain('"value":"funghi"');
    await edit('pizza2.yaml', 'value: funghi', 'value: f');
    await ends('config publish pizza2.yaml -m "As before" --local --yes');
  },
);

/** A new field, without an id. */
const ALLERGIES = `  # Asked for by the kitchen
  - fieldType: text
    fieldName: Allergies
    mandatory: false
    appUIs: [profile]
    allowMultiple: false
    subFieldA: { subType: text, allowCopies: true, alpha: true, numbers: true, symbols: true, maxChars: 80 }
`;

published(
  'unknown-outcome',
  'Nothing is published twice if nobody knows whether it was published.',
  async (desk) => {
    const { run, ends, unseen, answer, read } = desk;
    await pulled(desk, 'ben.yaml', '  - id: "2"\n', `${ALLERGIES}  - id: "2"\n`);
    const file = await read('ben.yaml');
    answer({
      UpdateItem: async (_, passOn) => {
        await passOn();
        return NO_RESPONSE;
      },
    });
    const words = 'config publish ben.yaml -m Allergies --local --yes';
    await run(words);
    expect(await read('ben.yaml')).toBe(file);
    answer({ UpdateItem: NO_RESPONSE });
    const { stderr } = await unseen('config rollback pizza@1 -m Undo --local --yes');
    expect(stderr).not.toContain('--merge');
    answer();
    const live = await served(desk);
    await ends(words, `${words} --merge`);
    expect(await served(desk)).toEqual(live);
    await expectPulled(desk, 'ben.yaml');
  },
);

published(
  'as-it-was',
  'A file of an earlier version takes nothing back, and one that is live changes nothing.',
  async (desk) => {
    const { run, ends, meanwhile, read, edit, item } = desk;
    await pulled(desk, 'menu.yaml', '  - id: "2"\n', `${ALLERGIES}  - id: "2"\n`);
    const committed = await read('menu.yaml');
    await meanwhile('config publish menu.yaml -m Allergies --local --yes');
    desk.note('The pipeline runs again, from a fresh checkout:');
    await desk.write('menu.yaml', committed);
    await run('config publish menu.yaml -m Allergies --local --yes');
    await meanwhile('config show pizza bad.yaml --local');
    await edit('bad.yaml', 'Funghi', 'Fungi');
    await meanwhile('config publish bad.yaml -m Bad --local --yes');
    desk.note('Somebody reverts the commit of the bad change:');
    const before = await item('pizza');
    const words = 'config publish menu.yaml -m Revert --local';
    await run(`${words} --yes`);
    await ends(`${words} --yes --merge`, `${words} --dry-run`, `${words} --yes --merge --mine 1`);
    expect(await read('menu.yaml')).toBe(committed);
    expect(await item('pizza')).toEqual(before);
    desk.note('A rollout runs:');
    await meanwhile('config show pizza try.yaml --local');
    await edit('try.yaml', 'Make', 'Brand');
    await meanwhile('config publish try.yaml --rollout 5 -m Try --local --yes');
    await ends(`${words} --yes`, 'config publish bad.yaml -m Again --local --yes');
    await meanwhile('config rollback pizza@3 -m Undo --local --yes --stop-rollout');
    await ends(`${words} --yes`, `${words} --yes --merge`);
    await expectPulled(desk, 'menu.yaml');
  },
);

published(
  'repaired',
  'A mistake that a merge brought and others repaired is no obstacle.',
  async (desk) => {
    const { run, ends, meanwhile, put, read, edit } = desk;
    const [pizza, number, car] = parse(await read('pizza.yaml')).fields;
    const broken = { ...number, subFieldA: { ...number.subFieldA, maxChars: 'eight' } };
    await pulled(desk, 'ben.yaml', 'Favourite pizza', 'Pizza');
    await put(client('pizza', { lastFieldId: 3, fields: [pizza, broken, car] }));
    await meanwhile('config publish ben.yaml -m Shorter --local --merge --yes');
    await edit('ben.yaml', 'Make', 'Brand');
    await run('config publish ben.yaml -m Brand --local --yes');
    await put(
      client('pizza', { lastFieldId: 3, fields: [{ ...pizza, fieldName: 'Pizza' }, number, car] }),
    );
    await ends(
      'config publish ben.yaml -m Brand --local --yes',
      'config publish ben.yaml -m Brand --local --yes --merge',
    );
    expect(JSON.stringify(await served(desk))).toMatch(/Pizza.*"maxChars":8.*Brand/);
  },
);

published('decided', 'What both operators changed is decided, one by one.', async (desk) => {
  const { run, ends, meanwhile, edit, cut, put, item } = desk;
  await meanwhile('config show pizza ann.yaml --local');
  await meanwhile('config show pizza ben.yaml --local');
  for (const [file, name, language] of [
    ['ann.yaml', 'Pizza', 'en'],
    ['ben.yaml', 'Best pizza', 'en-GB'],
  ] as const) {
    await edit(file, 'Favourite pizza', name);
    await edit(file, 'Funghi', `${name} of the month`);
    await edit(file, 'fields:', `language: ${language}\nfields:`);
  }
  await cut('ann.yaml', '  - id: "3"');
  await edit('ben.yaml', 'Make', 'Brand');
  await meanwhile('config publish ann.yaml -m Shorter --local --yes');
  const before = await served(desk);
  const words = 'config publish ben.yaml -m Longer --local --yes';
  await run(words);
  await run(`${words} --mine 1`);
  await run(`${words} --merge --mine 1 --theirs 1`);
  await ends(
    `${words} --merge --mine 1 --theirs 3.fieldName`,
    `${words} --merge --mine 1.fieldName --theirs language`,
    `${words} --merge`,
  );
  expect(await served(desk)).toEqual(before);
  await ends(`${words} --merge --theirs 1 --mine 1.fieldName --mine 3 --theirs language`);
  const { fields } = (await served(desk)).data;
  expect(JSON.stringify(fields)).toMatch(/Best pizza.*"Pizza of the month.*Brand/);
  expect(await item('pizza')).toMatchObject({ language: 'en' });
  await ends(`${words} --merge --mine 1.fieldName`);
  desk.note('The candidate of a rollout:');
  await edit('ben.yaml', 'Best pizza', 'Candidate');
  await meanwhile('config publish ben.yaml --rollout 5 -m Candidate --local --yes');
  const stored = await item('pizza');
  const byHand = JSON.parse(JSON.stringify(stored?.fields).replace('Best pizza', 'By hand'));
  await put({ ...stored, fields: byHand });
  await ends(
    'rollout finish pizza -m All --local --yes',
    'rollout finish pizza -m All --local --yes --merge --mine 1.fieldName',
  );
  expect(JSON.stringify((await served(desk)).data.fields)).toContain('"Candidate"');
});

published(
  'as-copy',
  'The configuration of another deployment replaces this one, and gives no id twice.',
  async (desk) => {
    const { run, ends, edit, put, read, item, meanwhile, write } = desk;
    const [pizza, number, car] = parse(await read('pizza.yaml')).fields;
    desk.note('Another deployment asks other questions:');
    const colour = { ...car, id: '9', fieldName: 'Colour' };
    const others = [{ ...number, fieldName: 'Loyalty card' }, pizza, colour];
    await put(client('acme', { fields: others, lastFieldId: 9 }));
    await meanwhile('config show acme test.yaml --local');
    await edit('test.yaml', 'clientId: acme', 'clientId: pizza');
    const file = await read('test.yaml');
    const words = 'config publish test.yaml -m "As in test" --as-copy --local';
    await run(`${words} --merge`);
    await ends('config publish test.yaml --as-copy --local --dry-run');
    await run(words, 'pizza');
    expect(await read('test.yaml')).toBe(file);
    const copied = await item('pizza');
    expect(copied).toMatchObject({
      fields: [{ id: '10' }, { id: '1' }, { id: '9' }],
      lastFieldId: 10,
    });
    await ends(words);
    await write(
      'next.yaml',
      file.replace('mandatory: true', 'mandatory: false').replace(/^base: .*\n/m, ''),
    );
    await meanwhile('config publish next.yaml --as-copy --rollout 5 -m Try --local --yes');
    const { rollout: _, lastChange: __, ...live } = (await item('pizza')) ?? {};
    expect(copied).toMatchObject(live);
    await ends('config publish next.yaml -m Next --as-copy --local --yes');
  },
);

published(
  'by-hand',
  'Manual edits are not overwritten, and are told in few lines.',
  async (desk) => {
    const { run, ends, put, read, note, service } = desk;
    await pulled(desk, 'ben.yaml', 'Favourite pizza', 'Pizza');
    const { fields } = parse(await read('ben.yaml'));
    note('By hand: the first field gets the names A to F, and then there are twelve new fields.');
    const edit = (name: string, ...others: unknown[]) =>
      service.putConfig(
        client('pizza', {
          lastFieldId: 15,
          fields: [{ ...fields[0], fieldName: name }, ...others],
        }),
      );
    for (const name of ['A', 'B', 'C', 'D', 'E']) await edit(name, ...fields.slice(1));
    const texts = Array.from({ length: 12 }, (_, index) => ({
      ...fields[1],
      id: String(index + 4),
      fieldName: `${index} ${'x'.repeat(400)}`,
    }));
    await edit('F', ...fields.slice(1), ...texts);
    await run('config publish ben.yaml -m Pizza --local --yes');
    await put(client('pizza'));
    await ends('config publish ben.yaml -m Pizza --local --yes');
    expect((await served(desk)).data.fields).toEqual([]);
  },
);

published(
  'rollback',
  'A rollback restores what apps got, and neither keys nor ids.',
  async (desk) => {
    const { run, ends, meanwhile, edit, item } = desk;
    const before = await served(desk);
    const { appIds } = (await item('pizza')) ?? {};
    await edit('pizza.yaml', 'lastFieldId: 3', 'lastFieldId: 5');
    await edit('pizza.yaml', 'Funghi', 'Mushrooms');
    await meanwhile('config publish pizza.yaml -m Mistake --local --yes');
    const words = 'config rollback pizza@2 -m Undo --local';
    await ends('config rollback pizza@2 --local --dry-run', [words, 'n']);
    await run(words, 'y');
    expect(await served(desk)).toEqual({ ...before, data: { ...before.data, lastFieldId: 5 } });
    expect((await item('pizza'))?.appIds).toEqual(appIds);
    await run(`${words} --yes`);
    await run('config rollback pizza@99 -m Undo --local --yes');
    await ends('config rollback pizza@1 -m Undo --local --yes --json | cat');
  },
);

published('undo', 'One version is undone, and what came after it stays.', async (desk) => {
  const { run, ends, meanwhile, item, put } = desk;
  const change = async (message: string, from: string, to: string) => {
    await pulled(desk, `${message}.yaml`, from, to);
    await meanwhile(`config publish ${message}.yaml -m ${message} --local --yes`);
  };
  const margherita = '          display: Margherita\n';
  const funghi = '        - value: f\n          display: Funghi\n';
  await change('Sold-out', funghi, '');
  await change('Brand', 'Make', 'Brand');
  await change(
    'Quattro',
    margherita,
    `${margherita}${funghi.replace('f', 'q').replace('Funghi', 'Quattro')}`,
  );
  const words = 'config undo pizza@3 -m "In season" --local';
  await ends('config undo pizza@3 --local --dry-run', [words, 'n']);
  await run(words, 'y');
  const { data } = await served(desk);
  expect(JSON.stringify(data.fields)).toMatch(/"Margherita".*"Funghi".*"Quattro".*"Brand"/);
  await run(`${words} --yes`);
  desk.note('Later versions changed the same:');
  await change('Maker', 'Brand', 'Maker');
  const second = 'config undo pizza@4 -m "No brand" --local --yes';
  await run(second);
  await run(`${second} --now 3`);
  await ends(`${second} --now 2`, `${second} --now 3 --before 3`);
  await ends(`${second} --before 3.subFieldA.placeHolderText`);
  expect(JSON.stringify((await served(desk)).data.fields)).toContain('"Make"');
  desk.note('The newest one is what a rollback undoes:');
  await run('config undo pizza@8 -m Maker --local --yes');
  desk.note('A field comes back with its id, beside another one of its caption:');
  await desk.write('fewer.yaml', '');
  await meanwhile('config show pizza no-car.yaml --local');
  await desk.cut('no-car.yaml', '  - id: "3"');
  await meanwhile('config publish no-car.yaml -m "No car" --local --yes');
  await change('Car', 'fields:', `fields:\n${ALLERGIES.replace('Allergies', 'Car')}`);
  await run('config undo pizza@10 -m "Ask again" --local --yes');
  desk.note('Inputs that were exchanged by hand change places again:');
  const stored = await item('pizza');
  const [car] = (await served(desk)).data.fields.slice(-1);
  const exchanged = { ...car, subFieldA: car.subFieldB, subFieldB: car.subFieldA };
  await put({ ...stored, fields: Object(stored).fields.with(-1, exchanged) });
  await change('Later', 'Membership', 'Member');
  await run('config undo pizza@13 -m "Back in place" --local', 'pizza');
  expect((await served(desk)).data.fields.at(-1)).toEqual(car);
  for (const version of [1, 2, 99]) await run(`config undo pizza@${version} -m No --local --yes`);
});

recorded(
  'rollback-to-worse',
  'A version that is worse comes back only if that is confirmed.',
  async (desk) => {
    const { run, ends, meanwhile, put, write, item } = desk;
    await put(client('pizza', { fields: [{}] }));
    await put(client('pizza', { fields: undefined }));
    await write('pizza.yaml', PIZZA);
    await meanwhile('config publish pizza.yaml -m First --local --yes');
    const words = 'config rollback pizza@1 -m Undo --local';
    await run(words, 'pizza');
    expect((await item('pizza'))?.fields).toEqual([{}]);
    await meanwhile('config rollback pizza@3 -m Undo --local --yes');
    await ends([words, 'y'], 'config rollback pizza@2 -m Undo --local --yes');
  },
);

published('faults', 'A publication that fails says how far it came.', async (desk) => {
  const { run, ends, edit, answer, note, item } = desk;
  await edit('pizza.yaml', 'Funghi', 'Mushrooms');
  const words = `config publish pizza.yaml -m Mushrooms --stack ${STACK} --yes`;
  const before = await item('pizza');
  note('AWS does not permit to read, or to write.');
  for (const call of ['GetItem', 'UpdateItem', 'GetCallerIdentity']) {
    answer({ [call]: undefined });
    await (call === 'GetItem' ? run : ends)(words);
  }
  note('Somebody was faster, and who it was cannot be read.');
  let reads = 0;
  answer({
    UpdateItem: { __type: 'ConditionalCheckFailedException', message: 'The condition failed.' },
    GetItem: (_, passOn) => (++reads === 1 ? passOn() : undefined),
  });
  await ends(words);
  note('DynamoDB throttles at the second attempt. The first one may have been executed.');
  vi.stubEnv('AWS_MAX_ATTEMPTS', '2');
  const busy = { __type: 'ProvisionedThroughputExceededException', message: 'Busy.' };
  answer({ UpdateItem: [NO_RESPONSE, busy] });
  await run(words);
  expect(await item('pizza')).toEqual(before);
  note('The response to the first attempt is lost, although it was executed.');
  let attempts = 0;
  answer({
    UpdateItem: async (_, passOn) => {
      const response = await passOn();
      attempts += 1;
      return attempts === 1 ? NO_RESPONSE : response;
    },
  });
  await ends(words);
  expect(attempts).toBe(2);
  expect(JSON.stringify(await served(desk))).toContain('Mushrooms');
});

/** Lets a command wait for nothing: each look at the clock is 20 seconds after the one before. */
async function inNoTime(runs: () => Promise<unknown>): Promise<void> {
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 20_000;
    return now;
  });
  await runs();
  clock.mockRestore();
}

published(
  'not-recorded',
  'A version that is not recorded in time is published all the same.',
  async (desk) => {
    const { run, edit, answer, head } = desk;
    await edit('pizza.yaml', 'Funghi', 'Mushrooms');
    let queries = 0;
    answer({ Query: (_, passOn) => (queries++ === 0 ? passOn() : { Items: [] }) });
    await inNoTime(() => run('config publish pizza.yaml -m Mushrooms --local --yes'));
    await head('pizza.yaml', 2);
    expect(JSON.stringify(await served(desk))).toContain('Mushrooms');
  },
);

published(
  'pull-and-show',
  'Configurations and versions are printed, without keys.',
  async (desk) => {
    const { run, ends, put, read } = desk;
    await run('config show acme --local');
    await run('config show acme acme.yaml --local');
    expect(await read('acme.yaml')).toMatch(
      /^# yaml-language-server: \$schema=\S+configuration\.schema\.json\nclientId: acme\n/,
    );
    await desk.edit('acme.yaml', 'maxChars: 12', 'maxChars: 11');
    await run('config show acme acme.yaml --local');
    expect(await read('acme.yaml')).toContain('maxChars: 11');
    await run('config show acme new.yaml --local --json');
    await run('config show acme no/such.yaml --local');
    await run('config show nobody --local');
    await put({
      clientId: 'odd',
      owner: 'marketing',
      feilds: [],
      appIds: ['odd-app-id'],
      fields: [{ zebra: 1, id: 7, fieldType: 'text', appUIs: new Set(['register', 'profile']) }],
    });
    await run('config show odd --local --json | cat');
    await run('config show pizza@9 --local');
    await ends('config show pizza@1 --local', 'config show pizza --local');
  },
);

published('diff', 'Versions, clients and files are compared.', async (desk) => {
  const { run, ends, put, write, edit, meanwhile } = desk;
  const diff = (...sides: readonly string[]) =>
    ends(...sides.map((side) => `config diff ${side} --local`));
  await pulled(desk, 'ben.yaml', 'mandatory: true', 'mandatory: false');
  await run('config diff pizza ben.yaml --local');
  await run('config diff pizza ben.yaml --local --json | cat');
  await meanwhile('config publish ben.yaml -m Optional --local --yes');
  await run('config diff pizza pizza@3 --local');
  await diff('pizza@2 pizza@3', 'pizza@3 ben.yaml', 'ben.yaml ben.yaml', 'pizza pizza@3 --json');
  desk.note('What apps derive is no difference, and nothing to publish:');
  await edit('ben.yaml', 'subType: drop', 'alpha: false\n      subType: drop');
  await edit('ben.yaml', 'fieldType: text', 'subFieldB: {}\n    fieldType: text');
  await diff('pizza ben.yaml');
  await ends('config publish ben.yaml -m Derived --local');
  await run('config diff pizza nobody --local');
  await run('config diff nothing.yaml pizza --local');
  await diff('nobody pizza', 'pizza nothing.yaml', 'menus/pizza pizza');
  desk.note('A client that is called as a file, and a file that is called as no client:');
  await put(client('ben.yaml'));
  await diff('ben.yaml pizza');
  await write('draft', '- pizza\n');
  await run('config diff draft pizza --local');
  desk.note('A client that is called as a file without a path:');
  await put(client('draft', { fields: [] }));
  await diff('draft draft');
});

published('diff-ids', 'A file is compared as it would be published.', async (desk) => {
  const { unseen, ends, edit, cut, put } = desk;
  await pulled(desk, 'ben.yaml', 'lastFieldId: 3', 'lastFieldId: 1');
  await cut('ben.yaml', '  - id: "3"');
  await edit('ben.yaml', '  - id: "2"', '  -');
  const { stdout } = await unseen('config diff pizza ben.yaml --local --json');
  const lines: string[] = JSON.parse(stdout).lines;
  expect(lines.filter((line) => /^[-+].*(?:id|lastFieldId): /.test(line))).toEqual([
    '-lastFieldId: 3',
    '+lastFieldId: 4',
    '-  - id: "2"',
    '+  - id: "4"',
    '-  - id: "3"',
  ]);
  desk.note('No id of a field that was removed by hand is free.');
  await put(client('pizza', { fields: [], lastFieldId: 1 }));
  await ends('config diff pizza ben.yaml --local');
});

published('schema', 'A server gets the schema of what apps get.', async (desk) => {
  const { run, ends, unseen } = desk;
  const words = 'config schema pizza --screen register --local';
  const { stdout: live } = await unseen(words);
  const { stdout: history } = await unseen('config history pizza --local --json');
  const { digest: configVersion } = JSON.parse(history.split('\n')[0] ?? '');
  const { fields } = (await served(desk)).data;
  const schema = answersSchema({ clientId: 'pizza', configVersion, fields }, 'register');
  expect(JSON.parse(live)).toEqual(schema);
  // Every character is seen.
  expect(live).toMatch(/^[ -~\n]+$/);
  expect(await unseen(words.replace('pizza', 'pizza@2'))).toMatchObject({ stdout: live });
  await run('config schema pizza --local');
  await ends(
    'config schema pizza --screen kiosk --local',
    'config schema pizza@9 --screen profile --local',
  );
});

recorded('history', 'The history lists all versions, whoever made them.', async (desk) => {
  const { run, ends, put, write, meanwhile } = desk;
  await run('config history nobody --local');
  await run('config history demo --local');
  await put(client('pizza', { appIds: ['app-id-1', 'app-id-2'], userPoolClientIds: ['one'] }));
  await put(client('pizza', { appIds: ['app-id-3'], userPoolClientIds: ['one', 'two\u001b'] }));
  await put(client('pizza', { appIds: ['app-id-3'], fields: [{}] }));
  await meanwhile('config show pizza pulled.yaml --local');
  const [base] = /^base: .*\n/m.exec(await desk.read('pulled.yaml')) ?? [];
  await write('pizza.yaml', `${base}${PIZZA}`);
  const message =
    'Funghi are sold out until the end of the season, so \u001b[2J Margherita takes their place';
  await meanwhile(`config publish pizza.yaml -m "${message}" --stack ${STACK} --yes`);
  await meanwhile('config rollback pizza@3 -m Undo --local --yes');
  await meanwhile('clients remove pizza --local --yes');
  await run('config history pizza --local');
  await run('config history pizza --local --json | cat');
  await ends('config history pizza --local | cat', 'config history demo --local --json');
});

published(
  'rollout',
  'A new field reaches two phones first, then some, and is taken back.',
  async (desk) => {
    const { run, ends, edit, meanwhile } = desk;
    await edit(
      'pizza.yaml',
      'fields:',
      'fields:\n  - { fieldType: text, fieldName: Shoe size, mandatory: true, appUIs: [register], allowMultiple: false, subFieldA: { subType: text, placeHolderText: "42", allowCopies: false, alpha: false, numbers: true, symbols: false, maxChars: 2 } }',
    );
    const publish = 'config publish pizza.yaml -m Shoes --local';
    await run(`${publish} --device ABC`);
    await run(`${publish} --rollout 0 --device id=38400000-8cf0-11bd-b23e-10b96e40000d`);
    await ends(`${publish} --rollout 101`, `${publish} --rollout 0 --device 0`);
    await run('rollout show pizza --local');
    await run(`${publish} --rollout 0 --device ABC --device def`, 'y');
    await run('rollout show pizza --local | cat');
    await run('rollout widen pizza 0 -m Less --local --yes');
    await ends('rollout widen pizza 25 -m "Works here" --local --dry-run');
    await ends(['rollout widen pizza 25 -m "Works here" --local', 'y']);
    await run('config publish pizza.yaml -m Again --local --yes');
    await ends('config rollback pizza@1 -m Back --local --yes');
    await ends(['rollout stop pizza -m Complaints --local', 'n']);
    await run('rollout stop pizza -m Complaints --local', 'y');
    await run('rollout stop pizza -m Complaints --local --yes');
    await ends('rollout show pizza@4 --local');
    await meanwhile('config publish pizza.yaml --rollout 50 -m Again --local --yes');
    await ends(['rollout finish pizza -m "All phones" --local', 'y']);
  },
);

published(
  'rollout-preview',
  'A draft is shown on one phone while a colleague corrects what is live.',
  async (desk) => {
    const { run, ends, edit, meanwhile } = desk;
    const phones = async () => JSON.stringify((await served(desk)).data.fields);
    await meanwhile('config show pizza ben.yaml --local');
    await edit('pizza.yaml', 'Membership number', 'Number of your card');
    await run('config publish pizza.yaml --rollout 0 -m Look --local --yes');
    await meanwhile('config publish pizza.yaml --rollout 0 --device ABC -m Look --local --yes');
    desk.note('A preview blocks nobody:');
    await edit('ben.yaml', 'Funghi', 'Fungi');
    await ends(['config publish ben.yaml -m Correct --local', 'y']);
    await ends('config rollback pizza@2 -m "Not this one" --local --yes');
    await ends('config rollback pizza@4 -m "After all" --local --yes');
    expect(await phones()).toMatch(/Fungi.*Membership number/);
    desk.note('Customers would get the mistake back:');
    await run('rollout widen pizza 5 -m More --local --yes');
    await run('rollout show pizza --local | tail');
    await run('rollout widen pizza 0 --merge -m "Look at both" --local', 'y');
    desk.note('Whoever shows another draft is told whose preview ends:');
    await edit('ben.yaml', 'Make', 'Brand');
    const instead = 'config publish ben.yaml --rollout 0 --device DEF';
    await run(`${instead} -m Brand --local`, 'y');
    await run(`${instead} --local --dry-run --json | cat`);
    await run('config history pizza --local');
    await run('config publish ben.yaml --stop-rollout -m Brand --local', 'n');
    await ends('config rollback pizza@2 --stop-rollout -m Back --local --yes');
    await ends('rollout show pizza --local');
  },
);

published(
  'rollout-shares',
  'Each step of a rollout says its share, in a dry run, too. All devices are its end.',
  async ({ run, edit }) => {
    await edit('pizza.yaml', 'mandatory: true', 'mandatory: false');
    await run('config publish pizza.yaml --rollout 0.05 --device ABC --local --dry-run');
    await run('config publish pizza.yaml --rollout 0.05 --local --dry-run --json | cat');
    await run('config publish pizza.yaml --rollout 5 -m Optional --local --yes');
    await run('rollout widen pizza 100 -m All --local --yes');
    await run('rollout widen pizza 60 --local --dry-run');
    await run('rollout widen pizza 60 -m "No complaints" --local --yes');
    await run('rollout widen pizza 60 -m More --local --yes');
    await run('rollout show pizza --local | cat');
    await run('clients show pizza --local');
    await run('rollout stop pizza --local --dry-run');
    await run('rollout finish pizza --local --dry-run');
    await run('rollout finish pizza -m All --local', 'n');
  },
);

published(
  'rollout-damaged',
  'A rollout that was damaged by hand can only be stopped.',
  async (desk) => {
    const { run, ends, put, item } = desk;
    const stored = await item('pizza');
    await put({ ...stored, rollout: { fields: [], percent: '20' } });
    await run('rollout show pizza --local');
    await run('config publish pizza.yaml --rollout 5 -m Start --local --yes');
    await ends('clients show pizza --local', 'rollout widen pizza 50 -m More --local --yes');
    await ends('rollout finish pizza -m All --local --yes');
    await run('rollout stop pizza -m "Damaged by hand" --local', 'y');
    const { lastChange: _, ...after } = (await item('pizza')) ?? {};
    const { lastChange: __, ...before } = stored ?? {};
    expect(after).toEqual(before);
  },
);
