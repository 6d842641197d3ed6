import { type SettingName, settings } from './settings.js';
import { withoutPassword } from './shown-value.js';

/** A setting's value as it may be shown: of a secret that it is set, of a connection string all but its password. */
export function shownSetting(name: SettingName, value: unknown): unknown {
  const { isSecret } = settings[name] as { readonly isSecret?: boolean };
  if (isSecret) return value === undefined ? undefined : '***';
  return typeof value === 'string' ? withoutPassword(value) : value;
}
