import { fileKeyOf, settingNames, settings, variableOf } from '#config/settings.js';
import { withoutPassword } from '#config/shown-value.js';
import { verb } from '../verb.js';

export const config = () =>
  verb('config', 'what is in force, and where each value came from', async ({ out, loaded }) => {
    const rows = settingNames.map((name) => ({
      setting: fileKeyOf(name),
      value: shownValue(loaded.config[name]),
      from: loaded.origins[name],
      variable: variableOf(name),
      about: settings[name].about,
    }));
    out.answer(rows, () =>
      rows
        .map(({ setting, value, from, about }) => {
          const shown = Array.isArray(value) ? value.join(', ') || 'none' : String(value ?? 'none');
          return `${setting.padEnd(22)}${out.style('bold', shown)}\n${' '.repeat(22)}${out.style('dim', `${from}; ${about}`)}`;
        })
        .join('\n'),
    );
  });

function shownValue<T>(value: T): T | string {
  return typeof value === 'string' ? withoutPassword(value) : value;
}
