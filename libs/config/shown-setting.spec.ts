import { expect, it } from 'vitest';
import { shownSetting } from './shown-setting.js';

it.each([
  ['embeddingsApiKey', 'sk-1234', '***'],
  ['embeddingsApiKey', undefined, undefined],
  ['embeddings', 'https://ann:secret@models/v1?api-key=secret', 'https://ann:***@models/v1?api-key=***'],
  ['embeddings', 'e5', 'e5'],
  ['httpPort', 7420, 7420],
  ['roles', ['reader'], ['reader']],
] as const)('shows %s of %s as %s', (name, value, shown) => expect(shownSetting(name, value)).toEqual(shown));
