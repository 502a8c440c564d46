/** The texts that `/try` loads: the playground, its frame, and the parts of `ui/`. */
export { layout } from '../kk/layout.ts';
export { playground } from '../kk/playground.ts';
export { ui } from '../kk/ui.ts';
