/* Apart from what makes an event: the function that publishes dead letters makes none. */

/** The source of the events about configurations. */
export const CONFIGURATIONS_SOURCE = 'customer-data-api.configurations';

/** The detail type of the event of a version. */
export const CONFIGURATION_CHANGED = 'configuration-changed';
