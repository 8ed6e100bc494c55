import { toJsonSchema } from '@valibot/to-json-schema';
import { SettingsSchema } from './settings.ts';

/**
 * The JSON Schema of a stage file, as it is checked in as `stages/schema.json`: editors complete
 * and check with it.
 */
export function stageSchema() {
  return {
    title: 'Settings of a stage of customer-data-api',
    ...toJsonSchema(SettingsSchema, {
      typeMode: 'input',
      // Rules that JSON Schema cannot express.
      ignoreActions: ['check', 'check_items'],
    }),
  };
}
