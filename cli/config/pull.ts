import type { ConfigsItem } from '../../core/clients/client-record.ts';
import { contentDigest } from '../../core/configuration/content-digest.ts';
import type { StoredConfiguration } from '../../core/configuration/stored-configuration.ts';
import { writtenConfiguration } from '../../core/configuration/written-configuration.ts';

/**
 * The content of a configuration file: what is stored, as operators write it. `base` identifies what is stored, so that
 * nobody's later change is overwritten. Attributes that look misspelled are there, so that they can be corrected.
 */
export function fileOf({ clientId, content, misspelled }: StoredConfiguration): ConfigsItem {
  const others = Object.entries(misspelled).map(([name, value]) => [
    name,
    writtenConfiguration({ fields: value }).fields,
  ]);
  return {
    clientId,
    base: contentDigest(content),
    ...writtenConfiguration(content),
    ...Object.fromEntries(others),
  };
}
