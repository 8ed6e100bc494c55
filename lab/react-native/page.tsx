import type { FormField } from 'customer-data-api-sdk';
import {
  CustomerDataField,
  type CustomerDataForm,
  TEXTS,
} from 'customer-data-api-sdk/react-native';
import { type ComponentType, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Text, View } from 'react-native';
import type { PageInput } from './page-input.ts';

/* What the tests call in a page that React Native for Web draws. */

/** The app of the README. */
type App = ComponentType<{
  fields: FormField[];
  stored: Record<string, string[][]>;
  submit: (answers: Record<string, string[][]>) => void;
}>;

const root = createRoot(document.querySelector('main') as HTMLElement);

/** Shows the app of the README, and below it what it has submitted. */
export function showApp(ReadmeApp: App, fields: FormField[]): void {
  function Page() {
    const [submitted, setSubmitted] = useState('');
    return (
      <View style={{ height: 600 }}>
        <ReadmeApp
          fields={fields}
          stored={{ '1': [['Café']], elsewhere: [['Ann']] }}
          submit={(answers) => setSubmitted(JSON.stringify(answers))}
        />
        <Text role="status">{submitted}</Text>
      </View>
    );
  }
  root.render(<Page />);
}

/** Shows fields, each with all its problems. */
export function showFields(input: PageInput): void {
  root.render(<Fields {...input} />);
}

function Fields({ fields, answers, mandatory, fontSize, dir }: PageInput) {
  const checked = useRef(new Set<string>());
  const check = (id: string) => (form: CustomerDataForm | null) => {
    if (!form || checked.current.has(id)) return;
    checked.current.add(id);
    form.check();
  };
  const text = fontSize ? { fontSize } : {};
  const styles = { text, caption: text, problem: text, buttonText: text };
  return (
    // A property of React Native for Web only.
    <View {...{ dir }} style={{ padding: 16, gap: 24 }}>
      {fields.map((field) => (
        <CustomerDataField
          key={field.id}
          field={field}
          answers={answers[field.id]}
          ref={check(field.id)}
          texts={{ ...TEXTS, mandatory: mandatory ?? TEXTS.mandatory }}
          theme={{ styles }}
        />
      ))}
    </View>
  );
}
