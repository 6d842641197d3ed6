import { fileKeyOf, settingNames, settings, variableOf } from '#config/settings.js';
import { shownSetting } from '#config/shown-setting.js';
import { verb } from '../verb.js';

/** The longest setting, and two blanks. */
const width = Math.max(...settingNames.map((name) => fileKeyOf(name).length)) + 2;

export const config = () =>
  verb('config', 'what is in force, and where each value came from', async ({ out, loaded }) => {
    const rows = settingNames.map((name) => ({
      setting: fileKeyOf(name),
      value: shownSetting(name, loaded.config[name]),
      from: loaded.origins[name],
      variable: variableOf(name),
      about: settings[name].about,
    }));
    out.answer(rows, () =>
      rows
        .map(({ setting, value, from, about }) => {
          const shown = Array.isArray(value) ? value.join(', ') || 'none' : String(value ?? '') || 'none';
          return `${setting.padEnd(width)}${out.style('bold', shown)}\n${' '.repeat(width)}${out.style('dim', `${from}; ${about}`)}`;
        })
        .join('\n'),
    );
  });
