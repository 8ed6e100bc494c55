import * as v from 'valibot';
import { identifier } from '../http/identifier.ts';

/** The request body of `getConfig`. */
export const GetConfigRequest = v.object({ clientId: identifier() });
