/** The texts that `/try` loads: the playground, its frame, and the parts of `ui/`. */
export { layout } from '../ru/layout.ts';
export { playground } from '../ru/playground.ts';
export { ui } from '../ru/ui.ts';
