import { HindsightError } from '#contract/errors.js';
import { type Config, type SettingName, variableOf } from './settings.js';

/**
 * One error for all that is missing.
 * @param purpose what needs them, as the beginning of a sentence
 * @throws HindsightError invalid_config
 */
export function requireSettings(config: Config, names: readonly SettingName[], purpose: string): void {
  const missing = names.filter((name) => {
    const value = config[name];
    return value === undefined || (Array.isArray(value) && value.length === 0);
  });
  if (missing.length === 0) return;
  const variables = missing.map(variableOf).join(', ');
  throw new HindsightError(
    'invalid_config',
    `${purpose} needs ${variables}, which ${missing.length === 1 ? 'is' : 'are'} not set.`,
    { settings: missing },
  );
}
