import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { exampleClients } from '../../functions/get-config/example-clients.ts';

const TRANSLATIONS = new URL('translated-demo.yaml', import.meta.url);

/** Returns the client `demo`, in German, French and Arabic too. */
export function translatedDemo() {
  const demo = exampleClients().find(({ clientId }) => clientId === 'demo');
  const translations = parse(readFileSync(TRANSLATIONS, 'utf8'));
  const fields = demo?.fields.map((field) => {
    const { id } = field as { readonly id: string };
    return { ...Object(field), translations: translations[id] };
  });
  return { ...demo, appIds: new Set(['demo-app-key']), language: 'en', fields };
}
