import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { addCustomerDataApiStack } from '../lib/customer-data-api-stack.ts';
import { SettingsError } from '../lib/settings/settings.ts';

try {
  const app = new App();
  addCustomerDataApiStack(app);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
