/** W3C Trace Context, version 00: `00-<trace id>-<span id>-<flags>`, neither id all zeros. */
const pattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Whether a value from outside is a trace context, of 55 characters: anything else is left where it came from. */
export function isTraceparent(value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}
