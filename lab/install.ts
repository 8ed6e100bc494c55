/** Installs the packages of the lanes that are its arguments. */
import { installPackages } from './lane-packages.ts';

for (const lane of process.argv.slice(2)) installPackages(lane);
