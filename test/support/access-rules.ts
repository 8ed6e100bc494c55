/** The rules of a deployment with some app clients. */
export const RULES = {
  appClients: ['app', 'web', 'one', 'two'],
  requiresUserPoolClientIds: false,
};
