/** The entry of every page that the server renders: its styles, copy buttons and theme. */
import '../design/fonts.css';
import '../design/tokens.css';
import './page.css';
import './controls.css';
import './documents.css';
import './bank.css';
import { startCopyButtons } from './copy-buttons.ts';
import { startThemeSwitch } from './theme-switch.ts';

startCopyButtons();
startThemeSwitch();
