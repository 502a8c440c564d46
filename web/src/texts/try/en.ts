/** The texts that `/try` loads: the playground, its frame, and the parts of `ui/`. */
export { layout } from '../en/layout.ts';
export { playground } from '../en/playground.ts';
export { ui } from '../en/ui.ts';
