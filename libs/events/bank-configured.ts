import { z } from 'zod';
import { defineEvent, type EventOf } from './define-event.js';
import { recallSettings } from './recall-settings.js';

/**
 * How a bank is recalled from, from here on. Settings are sealed: weights that were fitted on what a bank's users asked and how it fared say
 * something about them.
 */
export const bankConfigured = defineEvent('BankConfigured', 1, {
  data: z.strictObject({}),
  content: z.strictObject({ recall: recallSettings }),
});
export type BankConfigured = EventOf<typeof bankConfigured>;
