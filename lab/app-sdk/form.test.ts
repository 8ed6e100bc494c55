import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { readDocument } from 'customer-data-api/testing/documents/document';
import { findBrowser, launchBrowser } from 'customer-data-api-console/testing/browser';
import { close, listen } from 'customer-data-api-deployment/local';
import { type BuildOptions, build } from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormField } from '../../packages/sdk/src/index.ts';
import vectors from '../../packages/sdk/test-vectors/fields.json' with { type: 'json' };
import type * as Functions from './form-page.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

describe.skipIf(!(await findBrowser()))('the form, in Chromium,', () => {
  let pages: Server;
  let context: BrowserContext;
  beforeAll(async () => {
    const script = await bundle({
      entryPoints: [here('form-page.ts')],
      format: 'iife',
      globalName: 'functions',
    });
    const texts: Record<string, string> = {
      '/': '<script src="form.js"></script>',
      '/form.js': script,
      '/without-form': '',
      ...(await reactApp()),
    };
    pages = createServer(({ url = '' }, response) => {
      const type = url.endsWith('.js') ? 'text/javascript' : 'text/html';
      const start = url.endsWith('.js')
        ? ''
        : '<!doctype html><html lang="en"><title>App</title><body>';
      response.setHeader('Content-Type', `${type}; charset=utf-8`).end(start + texts[url]);
    });
    const baseURL = await listen(pages, 0, { pages: 'all' });
    context = await (await launchBrowser()).newContext({ baseURL });
    await context.addInitScript({
      path: fileURLToPath(import.meta.resolve('axe-core/axe.min.js')),
    });
  });
  afterAll(async () => {
    await context.browser()?.close();
    await close(pages);
  });

  async function open(path = '/'): Promise<Page> {
    const page = await context.newPage();
    await page.goto(path);
    return page;
  }

  test('it marks what the test vectors call a problem', async () => {
    const page = await open();
    const results = await page.evaluate(() => functions.enterAnswers());
    for (const [index, { field, instances, problems }] of vectors.answers.entries()) {
      const { inputs = 0, found } = results[index] ?? {};
      const perInstance = inputs / Math.max(1, instances.length);
      const wrong = [
        ...new Set(problems.map(({ instance, input }) => instance * perInstance + input)),
      ];
      const isComplete = wrong.length === 0;
      expect(found, `${field} ${JSON.stringify(instances)}`).toEqual({
        wrong,
        isComplete,
        isFocused: !isComplete,
        texts: wrong.length,
      });
    }
  });

  test('an app in React renders it on a server, takes it over and renders it with each key', async () => {
    const page = await open('/react');
    await page.locator('body[data-taken-over]').waitFor();
    const fields = page.locator('form customer-data-field');
    const name = fields.nth(0).locator('input');
    expect(await name.inputValue()).toBe('Café');
    const control = await name.elementHandle();
    await name.press('Home');
    await page.keyboard.type('Un ');
    expect(await control?.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await name.inputValue()).toBe('Un Café');

    const controlled = page.locator('main > customer-data-field input');
    await controlled.pressSequentially('Ann');
    expect(await controlled.inputValue()).toBe('Ann');
    // React renders by and by.
    const told = () => page.locator('code').textContent();
    await expect.poll(told).toBe('[[["A"]],[["An"]],[["Ann"]]]');

    const submit = page.getByRole('button', { name: 'Continue' });
    await submit.click();
    const required = page.getByRole('textbox', { name: 'name' });
    await expect.poll(() => required.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type('Jane');
    await fields.getByRole('combobox', { name: 'sizes' }).selectOption({ index: 1 });
    await fields.getByRole('combobox', { name: 'car' }).selectOption({ index: 1 });
    await fields.getByRole('textbox', { name: 'car' }).fill('M 1');
    await submit.click();
    const state = async () => JSON.parse((await page.locator('output').textContent()) ?? '');
    await expect.poll(state).toMatchObject({
      submitted: { letters: [['Un Café']], name: [['Jane']], children: [] },
    });
    expect((await state()).submitted).not.toHaveProperty('shop');
  });

  test('a field or answers that are set again keep the controls, with what a person has in them', async () => {
    const page = await open();
    await page.evaluate(() => functions.show('car'));
    const text = page.locator('input');
    const select = page.locator('select');
    await select.selectOption({ index: 1 });
    await text.pressSequentially('Roe');
    await text.press('ArrowLeft');
    const controls = await page.locator('input, select').elementHandles();
    const value = await select.inputValue();
    await page.evaluate((kept) => {
      const form = document.querySelector('customer-data-field') as Functions.CustomerDataField;
      form.answers = structuredClone(form.answers);
      const field = structuredClone(functions.fieldOf('car'));
      form.field = field;
      // Another language, with an option before the one that was chosen.
      const inputs = field.inputs.map((input) => {
        const optionsArray = input.optionsArray.map(({ value }) => ({
          value,
          display: `Ein ${value}`,
        }));
        return {
          ...input,
          placeHolderText: 'Marke',
          optionsArray: [{ value: `${kept}0`, display: '' }, ...optionsArray],
        };
      });
      form.field = { ...field, fieldName: 'Auto', inputs } as FormField;
    }, value);
    await page.keyboard.type('m');
    expect(await text.inputValue()).toBe('Rome');
    expect(await select.inputValue()).toBe(value);
    expect(await page.locator('option:checked').textContent()).toBe(`Ein ${value}`);
    expect(await page.locator('legend').textContent()).toContain('Auto');
    expect(
      await page
        .locator('input, select')
        .evaluateAll((all, before) => all.every((one, at) => one === before[at]), controls),
    ).toBe(true);
  });

  test('other answers and another field replace what was entered', async () => {
    const page = await open();
    expect(
      await page.evaluate(async () => {
        const form = functions.show('children');
        const values = () =>
          [...form.querySelectorAll<HTMLInputElement>('input, select')].map(({ value }) => value);
        form.answers = [['Ann'], ['Bob']];
        const first = form.querySelector('input');
        const shown = [values()];
        form.answers = [['Bob']];
        shown.push(values());
        const isKept = form.querySelector('input') === first;
        await undefined;
        form.field = functions.fieldOf('letters');
        shown.push(values());
        const isNew = form.querySelector('input') !== first;
        // In any order.
        form.answers = [['north']];
        form.field = functions.fieldOf('shop');
        shown.push(values());
        form.field = undefined;
        return { shown, isKept, isNew, left: form.textContent, check: form.check() };
      }),
    ).toEqual({
      shown: [['Ann', 'Bob'], ['Bob'], [''], ['north']],
      isKept: true,
      isNew: true,
      left: '',
      check: true,
    });
  });

  test('each change makes a new value, and tells it once', async () => {
    const page = await open();
    await page.evaluate(() => {
      const form = document.createElement('form');
      document.body.append(form);
      functions.show('name', form);
      functions.show('children', form);
      const told: unknown[] = [];
      Object.assign(window, { told });
      form.addEventListener('answers', ({ target }) =>
        told.push((target as Functions.CustomerDataField).answers),
      );
    });
    const child = page.getByRole('textbox', { name: 'children' });
    await child.pressSequentially('A<');
    await child.blur();
    await page.getByRole('button').click();
    await page.keyboard.type('B');
    await page.getByRole('button', { name: 'Remove' }).first().click();
    expect(await child.inputValue()).toBe('B');
    await page.evaluate(() => document.querySelector('form')?.reset());
    expect(await page.evaluate(() => Object(window).told)).toEqual([
      [['A']],
      [['A<']],
      [['A<'], ['']],
      [['A<'], ['B']],
      [['B']],
      [['']],
    ]);
  });

  test('a reset returns to the answers that the app has set last, also if they were entered', async () => {
    const page = await open();
    await page.evaluate(() => {
      const form = document.createElement('form');
      document.body.append(form);
      functions.show('name', form).answers = [['Ann']];
    });
    const name = page.getByRole('textbox');
    const submitted = async () => {
      await page.evaluate(() => {
        const field = document.querySelector('customer-data-field') as Functions.CustomerDataField;
        field.answers = structuredClone(field.answers);
      });
    };
    const reset = () => page.evaluate(() => document.querySelector('form')?.reset());
    await name.fill('Bob');
    await submitted();
    await name.fill('Cem');
    await reset();
    expect(await name.inputValue()).toBe('Bob');
    await page.evaluate(() => document.querySelector('customer-data-field')?.check());
    await name.fill('');
    await submitted();
    const problem = page.getByRole('alert');
    expect(await problem.textContent()).toBe('Please fill this in.');
    await reset();
    expect([await problem.textContent(), await name.inputValue()]).toEqual(['', '']);
  });

  test('what a browser fills in counts with the event change, and without one for check', async () => {
    const page = await open();
    expect(
      await page.evaluate(() => {
        const form = functions.show('name');
        const input = form.querySelector('input') as HTMLInputElement;
        form.check();
        const texts = [form.querySelector('[role=alert]')?.textContent];
        input.value = 'Rome';
        input.dispatchEvent(new Event('change', { bubbles: true }));
        texts.push(form.querySelector('[role=alert]')?.textContent);
        const answers = [form.answers];
        input.value = '';
        const checks = [form.check()];
        input.value = 'Paris';
        checks.push(form.check());
        return { texts, checks, answers: [...answers, form.answers] };
      }),
    ).toEqual({
      texts: ['Please fill this in.', ''],
      checks: [false, true],
      answers: [[['Rome']], [['Paris']]],
    });
  });

  test('an answer that no control can show stays until the customer changes it', async () => {
    const page = await open();
    expect(
      await page.evaluate(() => {
        const [shop, letters] = [functions.show('shop'), functions.show('letters')];
        shop.answers = [['closed']];
        // The second input of a combination that has become one text.
        letters.answers = [['a\nb', 'M-AB 123']];
        const checks = [shop, letters].map((form) => form.check());
        const kept = [shop.answers, letters.answers];
        const input = letters.querySelector('input') as HTMLInputElement;
        input.value = 'Ann';
        input.dispatchEvent(new Event('input', { bubbles: true }));
        const select = shop.querySelector('select') as HTMLSelectElement;
        select.selectedIndex = 1;
        select.dispatchEvent(new Event('input', { bubbles: true }));
        const changed = letters.answers;
        return { checks, kept, changed, options: select.options.length, check: shop.check() };
      }),
    ).toEqual({
      checks: [false, false],
      kept: [[['closed']], [['a\nb', 'M-AB 123']]],
      changed: [['Ann', 'M-AB 123']],
      options: 3,
      check: true,
    });
  });

  test('the form of the page submits, resets, disables and validates it', async () => {
    const page = await open();
    await page.evaluate(() => {
      document.body.innerHTML = `<form><fieldset></fieldset><button type="reset">Reset</button><button>Send</button></form>`;
      const group = document.querySelector('fieldset') as HTMLFieldSetElement;
      functions.show('name', group).setAttribute('name', 'own');
      functions.show('children', group).answers = [['Ann'], ['Bob']];
      document.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault());
    });
    const states: unknown[] = [];
    const look = async () => {
      states.push(
        await page.evaluate(() => {
          const form = document.querySelector('form') as HTMLFormElement;
          const inputs = [...form.querySelectorAll('input')];
          return {
            sent: [...new FormData(form)],
            isValid: form.checkValidity(),
            isDisabled: inputs.every((one) => one.matches(':disabled')),
            values: inputs.map(({ value }) => value),
            problems: form.querySelectorAll('[aria-invalid=true]').length,
          };
        }),
      );
    };
    const all = { isDisabled: false, isValid: true, problems: 0 };
    await look();
    // The browser moves the focus to what is not valid.
    await page.getByRole('button', { name: 'Send' }).click();
    await page.keyboard.type(' Jane ');
    await page.getByRole('textbox').nth(1).fill('Bob');
    await look();
    await page.getByRole('button', { name: 'Reset' }).click();
    await look();
    await page.evaluate(() => {
      const [own] = document.querySelectorAll('customer-data-field');
      document.querySelector('fieldset')?.toggleAttribute('disabled');
      own?.check();
    });
    await look();
    await page.evaluate(() => document.querySelector('form')?.reset());
    await page.evaluate(() => {
      document.querySelector('fieldset')?.toggleAttribute('disabled');
      document.querySelector('customer-data-field')?.setAttribute('disabled', '');
    });
    await look();
    expect(states).toEqual([
      { ...all, sent: [['own', '[]']], isValid: false, values: ['', 'Ann', 'Bob'] },
      {
        ...all,
        sent: [['own', '[["Jane"]]']],
        isValid: false,
        values: [' Jane ', 'Bob', 'Bob'],
        problems: 1,
      },
      { ...all, sent: [['own', '[]']], isValid: false, values: ['', 'Ann', 'Bob'] },
      { ...all, sent: [], isDisabled: true, values: ['', 'Ann', 'Bob'] },
      { ...all, sent: [], values: ['', 'Ann', 'Bob'] },
    ]);
  });

  test('it takes over what was set before it was defined, and is defined once', async () => {
    const page = await open('/without-form');
    await page.evaluate(
      (subField) => {
        const form = document.createElement('customer-data-field');
        form.textContent = 'Loading';
        const field = { id: 'name', fieldName: 'name', inputs: [subField] };
        document.body.append(Object.assign(form, { answers: [['Ann']], field }));
      },
      vectors.configuration.fields.find(({ id }) => id === 'name')?.subFieldA,
    );
    await page.addScriptTag({ url: '/form.js' });
    expect(await page.getByRole('textbox').inputValue()).toBe('Ann');
    // As after a change during development, or in a page of two apps.
    await page.addScriptTag({ url: '/form.js' });
    const found = await page.evaluate(() => {
      const form = functions.show('name');
      form.check();
      const [{ field }, { problems }] = [form, functions.TEXTS];
      Object.assign(functions.TEXTS, {
        mandatory: 'required',
        problems: { ...problems, missing: () => 'Enter it.' },
      });
      form.field = field;
      const [first] = document.querySelectorAll('customer-data-field');
      return {
        id: first?.field?.id,
        text: first?.textContent,
        isOne: first instanceof functions.CustomerDataField,
        translated: form.textContent,
      };
    });
    expect(found).toEqual({
      id: 'name',
      text: 'name',
      isOne: true,
      translated: 'name requiredEnter it.',
    });
  });

  test('screen readers get names, states, problems, groups and the focus', async () => {
    const page = await open();
    await page.evaluate(() => {
      for (const id of ['name', 'shop', 'car']) functions.show(id);
      functions.show('children').answers = [['Ann'], ['Bob'], ['Ann']];
      for (const form of document.querySelectorAll('customer-data-field')) form.check();
    });
    expect(await accessibilityTree(page)).toEqual([
      'group | name mandatory',
      'group | shop mandatory',
      'group | car mandatory',
      'group | children',
      'button | + car',
      'button | Add a child',
      'button | Remove: children 1',
      'button | Remove: children 2',
      'button | Remove: children 3',
      'textbox | name | invalid | required | Please fill this in.',
      'combobox | shop | invalid | Please choose one.',
      'combobox | car | invalid | Please choose one.',
      'textbox | car | invalid | required | Please fill this in.',
      'textbox | children 1',
      'textbox | children 2',
      'textbox | children 3 | invalid | You have entered this already.',
    ]);
    const flaws = () =>
      page.evaluate(async () => (await Object(window).axe.run('customer-data-field')).violations);
    expect(await flaws()).toEqual([]);
  });

  test('a problem is told once, and the focus stays in the form', async () => {
    const page = await open();
    await page.evaluate(() => {
      const form = functions.show('digits');
      const told: unknown[] = [];
      Object.assign(window, { told });
      const alert = form.querySelector('[role=alert]') as HTMLElement;
      new MutationObserver(() => told.push(alert.textContent)).observe(alert, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
    await page.getByRole('textbox').pressSequentially('1ab2');
    await page.getByRole('textbox').fill('12');
    expect(await page.evaluate(() => Object(window).told)).toEqual([
      'Please use digits and spaces only.',
      '',
    ]);

    await page.evaluate(() => {
      functions.show('children').answers = [['Ann'], ['Bob'], ['Cem']];
    });
    const focused = () =>
      page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value);
    await page.getByRole('button', { name: 'Remove: children 2' }).press('Enter');
    expect(await focused()).toBe('Cem');
    await page.getByRole('button', { name: 'Remove: children 2' }).press('Enter');
    expect(await focused()).toBe('Ann');
    await page.getByRole('button', { name: 'Add a child' }).press('Enter');
    await page.keyboard.type('Dan');
    // The app removes it, and Chromium dispatches `change`.
    await page.evaluate(() => {
      const form = document.querySelector('customer-data-field:last-of-type');
      Object.assign(form ?? {}, { answers: [['Zoe']] });
    });
    expect(await focused()).toBe('Zoe');
    await page.evaluate(() => functions.show('car').querySelector('input')?.focus());
    await page.keyboard.type('M 1');
    expect(
      await page.evaluate(() => {
        const form = document.activeElement?.closest('customer-data-field');
        let times = 0;
        form?.addEventListener('answers', () => times++);
        Object.assign(form ?? {}, { field: functions.fieldOf('name') });
        return { times, answers: form?.answers };
      }),
    ).toEqual({ times: 0, answers: [['']] });
  });
});

/** Lists what a screen reader tells about the parts of a form. */
async function accessibilityTree(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  return nodes.flatMap(({ role, name, description, properties = [], ignored }) => {
    const states = properties.flatMap(({ name: state, value }) =>
      ['required', 'invalid'].includes(state) && !['false', false].includes(value.value)
        ? [state]
        : [],
    );
    return !ignored && /group|textbox|combobox|button/.test(role?.value)
      ? [[role?.value, name?.value, ...states, description?.value].filter(Boolean).join(' | ')]
      : [];
  });
}

/** Builds a script for pages. */
async function bundle(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    bundle: true,
    write: false,
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' },
    ...options,
  });
  return outputFiles?.[0]?.text ?? '';
}

/** The page of an app in React with the form of the README, as a server renders it. */
async function reactApp(): Promise<Record<string, string>> {
  const { blocks } = await readDocument('packages/sdk/README.md');
  const sample = blocks.find(({ language }) => language === 'tsx')?.text;
  const contents = `${sample}
    import { hydrate, renderOnServer } from './react-page.tsx';
    const props = { form: FieldsForm, configuration: ${JSON.stringify(vectors.configuration)} };
    export const html = globalThis.document ? '' : renderOnServer(props);
    if (!html) hydrate(props);`;
  const script = await bundle({
    stdin: { contents, resolveDir: here('.'), loader: 'tsx' },
    format: 'esm',
    alias: {
      'customer-data-api-sdk': here('../../packages/sdk/src/index.ts'),
      'customer-data-api-sdk/form': here('../../packages/sdk/src/form.ts'),
    },
  });
  const { html } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  return {
    '/react': `<div>${html}</div><script type="module" src="react.js"></script>`,
    '/react.js': script,
  };
}

/** The functions in a page. */
declare const functions: typeof Functions;
