import {
  type ComponentType,
  createElement,
  StrictMode,
  type SyntheticEvent,
  useEffect,
  useState,
} from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server.browser';
import type { CustomerDataField } from '../../packages/sdk/src/form.ts';
import { type Configuration, fieldsFor, type Instance } from '../../packages/sdk/src/index.ts';

/* An app in React, with the form of the README of the app SDK: on a server and in a page. */

interface Props {
  readonly form: ComponentType<{
    fields: ReturnType<typeof fieldsFor>;
    stored: Record<string, string[][]>;
    submit: (answers: Record<string, string[][]>) => void;
  }>;
  readonly configuration: Configuration;
}

/** Renders each time that the customer types, with other objects as fields. */
function App({ form: FieldsForm, configuration }: Props) {
  const [typed, setTyped] = useState(0);
  const [submitted, submit] = useState<unknown>();
  // What is typed before React has taken over is not heard.
  useEffect(() => void document.body.setAttribute('data-taken-over', ''), []);
  return (
    <main onInput={() => setTyped((times) => times + 1)}>
      <FieldsForm
        fields={fieldsFor(configuration, 'register')}
        stored={{ letters: [['Café']], shop: [['north']] }}
        submit={submit}
      />
      {typed > 0 && <Controlled configuration={configuration} />}
      <output>{JSON.stringify({ typed, submitted })}</output>
    </main>
  );
}

/** Keeps the answers of a field in its state. Begins in the page, after the customer has typed. */
function Controlled({ configuration }: Pick<Props, 'configuration'>) {
  const [values, setValues] = useState<readonly (readonly Instance[])[]>([]);
  const field = fieldsFor(configuration, 'profile').find(({ id }) => id === 'children');
  const onanswers = ({ target }: SyntheticEvent) =>
    setValues((before) => [...before, (target as CustomerDataField).answers]);
  return (
    <>
      {createElement('customer-data-field', { answers: values.at(-1), field, onanswers })}
      <code>{JSON.stringify(values)}</code>
    </>
  );
}

const inStrictMode = (props: Props) => (
  <StrictMode>
    <App {...props} />
  </StrictMode>
);

export const renderOnServer = (props: Props) => renderToString(inStrictMode(props));

/** Takes over what the server has rendered. */
export function hydrate(props: Props): void {
  hydrateRoot(document.querySelector('div') as HTMLElement, inStrictMode(props), {
    onRecoverableError: (error) => {
      throw error;
    },
  });
}
