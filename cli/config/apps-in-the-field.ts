import type { Finding } from '../../core/configuration/check-configuration.ts';
import { readConfiguration } from '../../core/configuration/read-configuration.ts';
import { readField } from '../../core/configuration/read-field.ts';
import type { Release } from '../../openapi/released-documents.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * Finds what apps in the field cannot decode, although the service serves it: an app that was built for a release knows the
 * fields of that release. One advice for each field, because an app that cannot decode a field may lose all of them.
 */
export function undecodable(item: Item, releases: readonly Release[]): Finding[] {
  const fields = Array.isArray(item.fields) ? item.fields : [];
  const { lastFieldId } = readConfiguration(item).configuration;
  return releases.flatMap(({ version, decodes }) => {
    const message = `apps built for ${version} cannot decode this`;
    const advice = (...path: Finding['path']): Finding => ({ severity: 'advice', path, message });
    const found = fields.flatMap((stored, index) => {
      const { field } = readField(stored);
      return field && !decodes('Field', field) ? [advice('fields', index)] : [];
    });
    return decodes('Configuration', { fields: [], lastFieldId })
      ? found
      : [...found, advice('lastFieldId')];
  });
}
