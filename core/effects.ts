export { accessChanges, accessEffects } from './effects/access-effects.ts';
export { briefEffects } from './effects/brief-effects.ts';
export { addedAppClients, caseSwitch } from './effects/client-effects.ts';
export { configurationEffects } from './effects/configuration-effects.ts';
export { type Effect, harmIn, LEVELS } from './effects/effect.ts';
export { lostFields, servedFields } from './effects/lost-fields.ts';
