import type { ConfigsItem } from '../../core/clients/client-record.ts';
import { baseOf, type StoredConfiguration } from '../../core/configuration/stored-configuration.ts';
import { writtenAttributes } from '../../core/configuration/written-configuration.ts';

/**
 * The content of a configuration file: what is stored, as operators write it. `base` identifies what is stored, so that
 * nobody's later change is overwritten. Attributes that look misspelled are there, so that they can be corrected.
 */
export function fileOf(stored: StoredConfiguration): ConfigsItem {
  const { clientId, content, misspelled } = stored;
  const { lastFieldId, fields } = content;
  return {
    clientId,
    base: baseOf(stored),
    ...writtenAttributes({ lastFieldId, fields, ...misspelled }),
  };
}
