import { toJsonSchema } from '@valibot/to-json-schema';
import { SettingsSchema } from './settings.ts';

/** Returns the JSON Schema of a stage file, checked in as `stages/schema.json` for editors. */
export function stageSchema() {
  return {
    title: 'Settings of a stage of customer-data-api',
    ...toJsonSchema(SettingsSchema, {
      typeMode: 'input',
      // Rules that JSON Schema cannot express.
      ignoreActions: ['check', 'check_items', 'raw_check'],
      // Validators compile each pattern with the flag `u`.
      overrideAction: ({ valibotAction, jsonSchema }) =>
        valibotAction.type === 'regex' ? jsonSchema : undefined,
    }),
  };
}
