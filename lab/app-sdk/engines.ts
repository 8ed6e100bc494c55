import { fileURLToPath } from 'node:url';
import { findProgram } from 'customer-data-api-console/testing/browser';

/*
 * Hermes is the engine of React Native. The package has the engine alone, for Linux, macOS and
 * Windows on x86-64.
 */
const HERMES = ['linux64-bin', 'osx-bin', 'win64-bin'].map((folder) =>
  fileURLToPath(new URL(`node_modules/hermes-engine-cli/${folder}/hermes`, import.meta.url)),
);

export const findHermes = () => findProgram(HERMES, '-version');
