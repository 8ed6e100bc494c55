import * as v from 'valibot';
import { ClientId } from '../../core/identifiers.ts';

/** The request body of `getConfig`. */
export const GetConfigRequest = v.object({ clientId: ClientId });
