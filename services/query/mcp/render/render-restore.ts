import type { RestoreAnswer } from '#contract/forget.js';
import { renderItem } from './render-item.js';

export function renderRestore({ status, item }: RestoreAnswer): string {
  return `${status === 'restored' ? 'Restored' : 'Nothing to restore: it was not forgotten'}:\n${renderItem(item, '- ')}`;
}
