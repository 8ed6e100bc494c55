import { App } from 'aws-cdk-lib';
import { addCustomerDataApiStack } from '../lib/customer-data-api-stack.ts';
import { SettingsError } from '../lib/settings.ts';

try {
  addCustomerDataApiStack(new App());
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
