import { toJsonSchema } from '@valibot/to-json-schema';
import { SettingsSchema } from './settings.ts';

/** Returns the settings as a Markdown table, for docs/deploy.md. */
export function settingsTable(): string {
  const { $schema, ...settings } = stageSchema().properties ?? {};
  const rows = Object.entries(settings).map(([name, setting]) => {
    const { default: usual, description } = Object(setting);
    const shown = usual === undefined ? 'none' : `\`${JSON.stringify(usual)}\``;
    // Markdown would make links of addresses.
    const meaning = description.replace(/https:[^\s,]+/g, '`$&`');
    return `| \`${name}\` | ${shown} | ${meaning} |`;
  });
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Returns the JSON Schema of a stage file, checked in as `stages/schema.json` for editors. */
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
