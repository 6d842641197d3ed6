/**
 * The fingerprint of the model that ships, as `open-e5.ts` tells it: whoever counts on where its cosines lie asks for it. Another build of the
 * weights, another number of pieces or other steps of the kernel are another model (open-e5.int.spec.ts holds the two together).
 */
export const shippedModel = 'a8549b18e1630991dd3adb1e45722a43';
