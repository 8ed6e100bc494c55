import { Command } from 'commander';
import type { Terminal } from 'customer-data-api-deployment/program';
import { listCommand } from '../promo.ts';
import { copyCommand } from './copy.ts';

/** `./customer-data promo`: the promo events of clients. */
export function promoCommand(terminal: Terminal): Command {
  return new Command('promo').addCommand(listCommand(terminal)).addCommand(copyCommand(terminal));
}
