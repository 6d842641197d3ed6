import { catalogue, isEventType } from '#events/catalogue.js';

/** Whether the read models lack something without this event: of a type that this release does not know they may. */
export function mayChangeAnswers({ type }: { readonly type: string }): boolean {
  return !isEventType(type) || catalogue[type].changesAnswers;
}
